import { readFileSync } from 'node:fs';
import { sources } from './import-rules.js';

/** A declaration that is exported in place; re-exports declare no new names. */
const EXPORTED = /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (?<name>\w+)/gm;

type Texts = readonly (readonly [file: string, text: string])[];

const allTexts = (): Texts =>
  ['shared', 'api', 'workers'].flatMap((folder) =>
    [...sources(folder)].map((file) => [file, readFileSync(file, 'utf8')] as const),
  );

/**
 * Describes every name that more than one file exports. A value and its type in the same file, as for entities, count
 * as one.
 */
export function namesExportedTwice(texts: Texts = allTexts()): string[] {
  const files = new Map<string, Set<string>>();
  for (const [file, text] of texts)
    for (const { groups } of text.matchAll(EXPORTED)) {
      const name = groups!.name as string;
      files.set(name, (files.get(name) ?? new Set()).add(file));
    }
  return [...files]
    .filter(([, where]) => where.size > 1)
    .map(([name, where]) => `${name} is exported by ${[...where].join(' and ')}: one meaning a name.`);
}
