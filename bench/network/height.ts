/** How far a CometBFT is. */

/** NaN as long as nobody answers. */
export async function heightAt(rpcPort: number): Promise<number> {
  try {
    const response = await fetch(`http://127.0.0.1:${rpcPort}/status`);
    const { result } = (await response.json()) as {
      result: { sync_info: { latest_block_height: string } };
    };
    return Number(result.sync_info.latest_block_height);
  } catch {
    return Number.NaN;
  }
}
