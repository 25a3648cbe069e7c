/** Word among the tabs of a browser that the activity of a vault has another entry. What it says is sealed, and not told. */
const channelName = 'symbolon-activity';

export function tellActivity(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(true);
  channel.close();
}

/** Calls a reader when another tab wrote; gives what ends that. */
export function watchActivity(reader: () => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = reader;
  return () => channel.close();
}
