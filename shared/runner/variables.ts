import type { RunnerVariable } from './protocol.js';

/** How deep values may name each other. */
const DEEPEST = 100;
const NAME = /^[A-Za-z_]\w*$/;
const REFERENCE = /\$\$|\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)/g;

/** The variables of one job: later ones win, and values see each other unless they are raw. */
export class JobVariables {
  readonly #variables = new Map<string, RunnerVariable>();
  readonly #files = new Map<string, string>();

  /** @param variables from low to high precedence @param pathOf where the value of a file variable is written */
  constructor(variables: readonly RunnerVariable[], pathOf: (key: string) => string) {
    for (const variable of variables) this.#variables.set(variable.key, variable);
    for (const { key, value, file } of this.#variables.values())
      if (file && NAME.test(key)) {
        this.#files.set(pathOf(key), value ?? '');
        this.#variables.set(key, { key, value: pathOf(key), raw: true });
      }
  }

  /** The value of a variable, with those that it names; an empty text for an unknown one. */
  get(key: string): string {
    const variable = this.#variables.get(key);
    return variable === undefined ? '' : this.#expandOf(variable, new Set([key]));
  }

  /** A text with the variables that it names. */
  expand(text: string): string {
    return this.#expand(text, new Set());
  }

  /** All of them as names and values, for a shell. */
  entries(): [string, string][] {
    const keys = [...this.#variables.keys()].filter((key) => NAME.test(key));
    return keys.map((key) => [key, this.get(key).replaceAll('\0', '')]);
  }

  /** Path and content of each file variable. */
  files(): [string, string][] {
    return [...this.#files];
  }

  /** Sets one of the runner's own. */
  set(key: string, value: string): void {
    this.#variables.set(key, { key, value, raw: true });
  }

  #expandOf({ value, raw }: RunnerVariable, names: Set<string>): string {
    return raw ? (value ?? '') : this.#expand(value ?? '', names);
  }

  #expand(text: string, names: Set<string>): string {
    return text.replace(REFERENCE, (reference: string, braced?: string, bare?: string) => {
      if (reference === '$$') return '$';
      const name = braced ?? bare ?? '';
      // A circle stays as it is written.
      if (names.has(name) || names.size > DEEPEST) return reference;
      const variable = this.#variables.get(name);
      return variable === undefined ? '' : this.#expandOf(variable, new Set([...names, name]));
    });
  }
}

const UNITS: Record<string, number> = { h: 3600, m: 60, s: 1 };

/** Reads a length of time such as `1h30m` or `90s`. @returns milliseconds, or null for what is none */
export function readDuration(text: string): number | null {
  const parts = [...text.replaceAll(/\s/g, '').matchAll(/(\d+(?:\.\d+)?)(h|m|s)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text.replaceAll(/\s/g, '')) return null;
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0) * 1000, 0);
}
