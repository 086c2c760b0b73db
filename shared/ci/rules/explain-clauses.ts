import type { Because, RuleExplanation, RuleResult } from './rules.types.js';

/** Entries of one explanation; the entry that decides is always among them. */
const MAX_ENTRIES = 200;

/** The explanation of a list of clauses that are looked at in order, until one decides. */
export interface Explainer {
  entries: RuleExplanation[];
  /** Adds the next clause that was looked at. `decides` is for the last one. */
  add(result: RuleResult, because: Because[], decides: boolean): void;
  /** Adds the clauses that were not looked at. */
  close(): RuleExplanation[];
}

/** Starts the explanation of `count` clauses; `describe` writes one of them as text. */
export function explainClauses(count: number, describe: (index: number) => string): Explainer {
  const entries: RuleExplanation[] = [];
  let index = 0;
  const add = (result: RuleResult, because: Because[], decides: boolean): void => {
    const hasRoom = entries.length < (decides ? MAX_ENTRIES : MAX_ENTRIES - 1);
    if (hasRoom) entries.push({ index, clause: describe(index), result, because });
    index += 1;
  };
  const close = (): RuleExplanation[] => {
    while (index < count && entries.length < MAX_ENTRIES) add('not_reached', [], true);
    return entries;
  };
  return { entries, add, close };
}
