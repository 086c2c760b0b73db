import { Limiter } from '../values/limiter.js';
import { Thread } from '../threads/thread.js';
import type { Marks, Rendered } from './reference-syntax.js';
import type { TextForm } from './render-text.js';

/** The input of a rendering thread. */
export interface RenderQuestion {
  readonly written: string;
  readonly form: TextForm;
  readonly marks: Marks;
}

const THREADS = 2;
/** Texts that wait for a thread; one more is not rendered. */
const WAITING = 100;
/** For one text, from when a thread takes it. A mebibyte of prose takes a quarter of a second where nothing else runs. */
const TIMEOUT_MS = 15_000;
const MEMORY_MIB = 256;

const idle = Array.from(
  { length: THREADS },
  () =>
    new Thread<RenderQuestion, Rendered>(
      new URL('./render-worker.js', import.meta.url),
      'renders Markdown',
      MEMORY_MIB,
    ),
);

/** Nothing is known of a text but that there was no time for it: later there may be. */
export class TooManyTexts extends Error {}

const limiter = new Limiter({
  capacity: THREADS,
  queueLimit: WAITING,
  createError: () => new TooManyTexts('Too many texts wait to be rendered.'),
});

/**
 * Renders a text on a thread of its own, one text a thread.
 * @throws TooManyTexts, or what ended the thread: time, memory, an error
 */
export function renderApart(question: RenderQuestion): Promise<Rendered> {
  return limiter.run(async () => {
    const thread = idle.pop()!;
    try {
      return await thread.ask(question, { timeoutMs: TIMEOUT_MS });
    } finally {
      idle.push(thread);
    }
  });
}
