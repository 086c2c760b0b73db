import { printScalar } from '../../core/values/yaml.js';
import { Reference } from '../configuration-model/configuration.types.js';

/** Longer ones name nothing. */
const MOST_PARTS = 100;

/** The value of `!reference [job, key, …]`; undefined for anything but a list of texts, numbers and booleans. */
export function readReference(value: unknown): Reference | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_PARTS) return undefined;
  const parts: string[] = [];
  for (const part of value as unknown[]) {
    if (typeof part !== 'string' && typeof part !== 'number' && typeof part !== 'boolean') return undefined;
    parts.push(printScalar(part));
  }
  return new Reference(parts);
}
