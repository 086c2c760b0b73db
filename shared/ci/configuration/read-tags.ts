import type { Value } from '../configuration-model/configuration.types.js';
import { reject } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { readStrings } from './read-shapes.js';

const TAG_LIMIT = 50;

/** Reads `tags`: fewer than 50. */
export function readTagList(value: Value, at: KeywordScope): string[] | undefined {
  const tags = readStrings(value, at);
  return tags && tags.length >= TAG_LIMIT ? reject(at, `must be less than the limit of ${TAG_LIMIT} tags`) : tags;
}
