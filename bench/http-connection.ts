/** HTTP/1.1 over a plain socket that stays open, one request at a time: as little work for the client as it takes. */
import { createConnection, type Socket } from 'node:net';

export interface PostHead {
  readonly port: number;
  readonly path: string;
  /** Whole lines, without their ends. */
  readonly headers?: readonly string[];
}

export function postBytes({ port, path, headers = [] }: PostHead, body: string): Buffer {
  const bytes = Buffer.from(body);
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    ...headers,
    `Content-Length: ${bytes.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
}

/** Whether the text is one complete reply; both ways of saying where it ends are understood. */
function isComplete(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd + 2));
  return length ? text.length >= headEnd + 4 + Number(length[1]) : text.endsWith('\r\n0\r\n\r\n');
}

/** Calls `done` with each complete reply, one character a byte. */
export function onReplies(socket: Socket, done: (reply: string) => void): void {
  let begun = '';
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    begun += chunk;
    if (!isComplete(begun)) return;
    const reply = begun;
    begun = '';
    done(reply);
  });
}

export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}
