import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript5';

/** Words that a term of `shared/core/GLOSSARY.md` replaces in this project's names. */
const REPLACED = new Set(
  (
    'asked bag box bring facts follow gate given kept lane look made mend moment named pace patience place placed refusal ' +
    'refuse refused say seen shape shown stretch subject taken talk tell told wanted wish words'
  ).split(' '),
);

/** Names that keep such a word, one a line: `name | why`. */
const EXCEPTIONS = 'test/core/glossary-exceptions.list';

/** Splits `issuesShown` into the words `issues` and `shown`. */
const partsOfName = (name: string): string[] =>
  (name.replaceAll('_', ' ').match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());

/** A replaced word in a name, in singular or plural; undefined if all of its words are allowed. */
export const replacedWord = (name: string): string | undefined =>
  partsOfName(name).find((word) => REPLACED.has(word) || (word.endsWith('s') && REPLACED.has(word.slice(0, -1))));

const readExceptions = (): Set<string> =>
  new Set(
    readFileSync(EXCEPTIONS, 'utf8')
      .split('\n')
      .flatMap((line) => /^(\S+) \| \S/.exec(line)?.[1] ?? []),
  );

/** Sources of ours, by their path from the checkout. Migrations are history. */
function* sourcesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') yield* sourcesBelow(name);
    } else if (/\.(?:tsx?|mjs)$/.test(entry.name)) yield name;
  }
}

/** The names that a source declares, of variables, parameters, functions, types and their members, with their lines. */
export function declaredNames(file: string, text: string): Map<string, number> {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const names = new Map<string, number>();
  const visit = (node: ts.Node): void => {
    const { name } = node as Partial<ts.NamedDeclaration>;
    // Property accesses and imports refer to names that are declared, and checked, elsewhere.
    const declares = !ts.isPropertyAccessExpression(node) && !ts.isImportSpecifier(node) && !ts.isExportSpecifier(node);
    if (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) && declares && !names.has(name.text))
      names.set(name.text, source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** Describes names with words that the glossary replaces, and exceptions that are no longer needed. */
export function namesOutsideGlossary(): string[] {
  const exceptions = readExceptions();
  const needed = new Set<string>();
  const problems: string[] = [];
  for (const folder of ['shared', 'api', 'workers', 'test'])
    for (const file of sourcesBelow(folder))
      for (const [name, line] of declaredNames(file, readFileSync(file, 'utf8'))) {
        const word = replacedWord(name);
        if (word === undefined) continue;
        if (exceptions.has(name)) needed.add(name);
        else problems.push(`${file}:${line}: ${name}: shared/core/GLOSSARY.md has another word for "${word}".`);
      }
  for (const name of exceptions)
    if (!needed.has(name)) problems.push(`${EXCEPTIONS}: nothing is named ${name} any more.`);
  return problems;
}
