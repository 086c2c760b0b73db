import { Reference } from '../configuration-model/configuration.types.js';
import type { Hash, Value } from '../configuration-model/configuration.types.js';
import { countValues, pickValue } from './keyword-scope.js';
import { reject, rejectUnsupported, rejectWhole, warnPending, warnUnused } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { findKeyword, KEYWORDS } from './keywords.js';
import type { Keyword, KeywordName, KeywordSpot, KeywordValues } from './keywords.js';
import { listKeys } from './read-shapes.js';

/** What a hash says by its keywords; those that are absent, blank or wrong are left out. */
export type KeywordDraft = Partial<KeywordValues>;

/** Reads the keywords of a hash in their order. Other keys are an error. */
export function readKeywords(hash: Hash, at: KeywordScope, spot: 'default' | 'job'): KeywordDraft {
  const draft: KeywordDraft = {};
  const keys = listKeys(hash, at);
  const unknown = keys.filter((key) => findKeyword(key, spot) === null);
  if (unknown.length > 0)
    reject({ ...at, path: [...at.path, unknown[0] as string] }, `contains unknown keys: ${unknown.join(', ')}`);
  for (const key of keys) {
    const name = findKeyword(key, spot);
    if (name) readKeyword(hash, name, KEYWORDS[name].enter(at, name), spot, draft);
  }
  return draft;
}

/** Reads one keyword of a hash into the draft, with its warning. */
export function readKeyword<K extends KeywordName>(
  hash: Hash,
  name: K,
  at: KeywordScope,
  spot: KeywordSpot,
  draft: { [P in K]?: KeywordValues[P] },
): void {
  const value = pickValue(hash, name);
  if (value === undefined) return;
  const keyword = KEYWORDS[name] as Keyword<KeywordValues[K]>;
  if (keyword.support === 'refused' || keyword.rejectedIn?.includes(spot)) return rejectUnsupported(at);
  if (rejectReference(value, at)) return;
  const read = (spot === 'global' && keyword.readGlobal) || keyword.read;
  const result = read(value, at);
  if (result !== undefined) draft[name] = result;
  if (keyword.support === 'accepted') warnUnused(at);
  if (keyword.support === 'pending') warnPending(at);
}

/** Notes an error if a reference is left anywhere inside. */
function rejectReference(value: Value, at: KeywordScope): boolean {
  const reference = findReference(value, at);
  if (!reference) return false;
  const path = reference.path.map((key) => JSON.stringify(key)).join(', ');
  rejectWhole(at, `!reference [${path}] could not be found`);
  return true;
}

function findReference(value: Value, at: KeywordScope): Reference | null {
  if (value instanceof Reference) return value;
  if (typeof value !== 'object' || value === null) return null;
  const items = Array.isArray(value) ? value : Object.values(value);
  countValues(at, items.length + 1);
  for (const item of items) {
    const found = findReference(item, at);
    if (found) return found;
  }
  return null;
}
