/**
 * The life of one answer: whoever makes it learns by a signal that its caller has gone, and what waits for its end is
 * done once it was sent whole, or was lost.
 */
import type { ServerResponse } from 'node:http';
import type { Call } from '@symbolon/wire/http/service-route';

type WhenAnswered = NonNullable<Call['whenAnswered']>;

export class AnswerLifetime {
  readonly #response: ServerResponse;
  readonly #streams: Set<AnswerLifetime>;
  readonly #gone = new AbortController();
  readonly #waiting: Parameters<WhenAnswered>[] = [];

  /** Among `streams` as long as it is one that goes on by itself. */
  constructor(response: ServerResponse, streams: Set<AnswerLifetime>) {
    this.#response = response;
    this.#streams = streams;
    response.once('close', this.#leave);
  }

  readonly #leave = (): void => {
    this.end();
    this.#streams.delete(this);
  };

  /** Aborted when the caller is gone before the answer is there, and at the end of a stream. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  readonly whenAnswered: WhenAnswered = (...work) => void this.#waiting.push(work);

  /** Makes a stream end. */
  end(): void {
    this.#gone.abort();
  }

  /** The answer is there and is about to be sent. */
  answered({ isStream, onFailure }: { isStream: boolean; onFailure: (error: unknown) => void }): void {
    const finish = (): void => {
      this.#response.off('finish', finish).off('close', finish);
      const isWhole = this.#response.writableFinished && !this.signal.aborted;
      for (const [work, ifLost] of this.#waiting) (isWhole ? work : ifLost)?.().catch(onFailure);
    };
    if (this.signal.aborted) finish();
    else this.#response.once('finish', finish).once('close', finish);
    if (!isStream) this.#response.off('close', this.#leave);
    else if (!this.signal.aborted) this.#streams.add(this);
  }
}
