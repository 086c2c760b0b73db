import { LRUCache } from 'lru-cache';
import type { Marks, Rendered } from './reference-syntax.js';
import { renderApart, TooManyTexts } from './render-apart.js';
import { asWritten, renderText } from './render-text.js';
import type { TextForm } from './render-text.js';

/** Longer texts are rendered on a thread of their own: others are answered meanwhile. */
const SHORT = 16 * 1024;

/** Number of cached texts, the most recently used ones: lists show the same descriptions repeatedly. */
const MAX_CACHED = 2000;
/** Characters of all of them, and of what they became. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** For how long a text that could not be rendered is not tried again. */
const FAILED_MS = 60_000;

const NOTHING: Rendered = { html: [''], candidates: [] };

const getSize = ({ html, candidates }: Rendered, written: string) =>
  written.length + html.reduce((sum, part) => sum + part.length, 0) + candidates.length * 100 + 1;

/** Caches texts rendered independently of the viewer; references are resolved for each viewer again. */
export class RenderedTexts {
  readonly #cache = new LRUCache<string, Rendered>({
    max: MAX_CACHED,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (rendered, key) => getSize(rendered, key),
  });
  readonly #running = new Map<string, Promise<Rendered>>();

  constructor(private readonly marks: Marks) {}

  /** Empty for an empty text; plain text for a text that takes too long. Never throws. */
  render(written: string, form: TextForm): Rendered | Promise<Rendered> {
    if (written.trim() === '') return NOTHING;
    const key = `${form} ${written}`;
    const existing = this.#cache.get(key) ?? this.#running.get(key);
    if (existing) return existing;
    if (written.length <= SHORT) return this.#keep(key, this.#renderHere(written, form));
    const running = this.#renderApart(key, written, form).finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }

  #renderHere(written: string, form: TextForm): Rendered {
    try {
      return renderText(written, form, this.marks);
    } catch {
      // Nested deeper than the stack.
      return asWritten(written, form);
    }
  }

  async #renderApart(key: string, written: string, form: TextForm): Promise<Rendered> {
    try {
      return this.#keep(key, await renderApart({ written, form, marks: this.marks }));
    } catch (error) {
      const plain = asWritten(written, form);
      if (!(error instanceof TooManyTexts)) this.#cache.set(key, plain, { ttl: FAILED_MS });
      return plain;
    }
  }

  #keep(key: string, rendered: Rendered): Rendered {
    this.#cache.set(key, rendered);
    return rendered;
  }
}
