import { ConfigurationError } from '../configuration-model/configuration.types.js';
import type { Compilation } from './compile.types.js';

const NUL = '\0';

/** The database stores no NUL character, and JSON has no half of a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes(NUL) && text.isWellFormed();

/** A text with a replacement character for whatever cannot be stored. */
export const toStorable = (text: string): string => text.replaceAll(NUL, '\uFFFD').toWellFormed();

/** Escapes of YAML can write characters that nothing stores. @throws ConfigurationError */
export function checkStorable({ jobs, stages, workflow }: Pick<Compilation, 'jobs' | 'stages' | 'workflow'>): void {
  const stored = jobs.flatMap(({ name, stage, tags, resource_group: group }) => [name, stage, ...tags, group ?? '']);
  const wrong = [...stages, workflow?.name ?? '', ...stored].find((text) => !isStorable(text));
  if (wrong !== undefined)
    throw new ConfigurationError(`\`${toStorable(wrong)}\` contains characters that are not allowed`);
}
