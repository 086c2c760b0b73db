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

/** A class of resolvers, which is found by the name of its file. */
const RESOLVERS = /@Resolver\([^\n]*\)\nexport class (?<name>\w+)/g;

/**
 * Describes exported names of GraphQL files that nothing uses: those files are loaded by their names, so that a check of
 * exports takes each of them for used.
 */
export function unusedGraphqlNames(texts: Texts = allTexts()): string[] {
  const uses = new Map<string, number>();
  for (const [, text] of texts) for (const word of text.match(/\w+/g) ?? []) uses.set(word, (uses.get(word) ?? 0) + 1);
  return texts
    .filter(([file]) => file.endsWith('.graphql.ts'))
    .flatMap(([file, text]) => {
      const resolvers = new Set([...text.matchAll(RESOLVERS)].map(({ groups }) => groups!.name));
      return [...text.matchAll(EXPORTED)]
        .map(({ groups }) => groups!.name as string)
        .filter((name) => !resolvers.has(name) && (uses.get(name) ?? 0) < 2)
        .map((name) => `${name} is exported by ${file}, and nothing uses it.`);
    });
}
