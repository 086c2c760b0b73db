import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A row of the contract: ``- `id`: the row`` under `## Rows` in a document of `shared/contract`. */
interface Row {
  id: string;
  summary: string;
  /** The file and line of the row: `shared/contract/moves.md:7`. */
  location: string;
}

/** Declares the rows that a test verifies: `// Contract: id, id` directly above it. */
interface Claim {
  ids: readonly string[];
  /** `test/core/rest/rest-paths.test.ts:12`. */
  location: string;
  /** The title as written; null if no test follows the claim. */
  title: string | null;
}

export interface Ledger {
  rows: readonly Row[];
  claims: readonly Claim[];
  /** Descriptions of lines that look like a row or a claim but are invalid. */
  unread: readonly string[];
}

/** A source by its path from the checkout. */
export type Source = readonly [file: string, text: string];

const ID = /^[\w.-]+$/;
/** Matches claims, including malformed ones. */
const LIKE_A_CLAIM = /^\s*(?:\/\/|\/?\*+)\s*contract\b\s*:/i;
const CLAIM = /^\s*\/\/ Contract: (.*\S)\s*$/;
/** A call with a title: `test('…'`, `` test.serial(`…` `` in a loop, or a function of the file that makes tests. */
const CALL = /^\s*(\w+)(\.\w+)*\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/;

/** Rows of a contract document: the items of its last section. Other text in it describes their subject. */
function readRows([file, text]: Source, unread: string[]): Row[] {
  const lines = text.split('\n');
  const begin = lines.indexOf('## Rows');
  if (begin === -1) return [];
  return lines.flatMap((line, index) => {
    if (index < begin || !/^\s*[-*]/.test(line)) return [];
    const location = `${file}:${index + 1}`;
    const [, id = '', summary = ''] = /^- `([^`]+)`: (\S.*)$/.exec(line) ?? [];
    if (ID.test(id)) return [{ id, summary, location }];
    unread.push(`${location}: a row is "- \`id\`: the row".`);
    return [];
  });
}

/** Whether a function of the file, declared at its outermost level, makes tests. */
function makesTests(name: string, text: string): boolean {
  const declared = `^(?:export )?(?:async )?(?:function|const) ${name}\\b`;
  const [body = ''] = new RegExp(`${declared}.*(?:\\n(?:[\\s})].*)?)*`, 'm').exec(text) ?? [];
  return /\btest(\.serial)?\(/.test(body);
}

/** The title of the test that begins a text, or null: hooks and tests that are skipped show nothing. */
function titleAt(begin: string, text: string): string | null {
  const [, name, chain, single, double, back] = CALL.exec(begin) ?? [];
  if (name === undefined || (chain !== undefined && chain !== '.serial')) return null;
  if (name !== 'test' && !makesTests(name, text)) return null;
  return (single ?? double ?? back ?? '').replace(/\\(.)/g, '$1');
}

function readClaims([file, text]: Source, unread: string[]): Claim[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (!LIKE_A_CLAIM.test(line)) return [];
    const location = `${file}:${index + 1}`;
    const ids = CLAIM.exec(line)?.[1]?.split(', ') ?? [];
    if (ids.length === 0 || !ids.every((id) => ID.test(id))) {
      unread.push(`${location}: a claim is "// Contract: id, id".`);
      return [];
    }
    let below = index + 1;
    while (CLAIM.test(lines[below] ?? '')) below += 1;
    return [{ ids, location, title: titleAt(lines.slice(below, below + 3).join('\n'), text) }];
  });
}

/** Puts together rows of the contract and what tests say that they show. */
export function getLedger(contract: readonly Source[], tests: readonly Source[]): Ledger {
  const unread: string[] = [];
  const rows = contract.flatMap((source) => readRows(source, unread));
  const claims = tests.flatMap((source) => readClaims(source, unread));
  return { rows, claims, unread };
}

function sourcesBelow(folder: string, end: string): Source[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(end))
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .sort()
    .map((file) => [file, readFileSync(file, 'utf8')]);
}

/** The ledger of the checkout that is the working folder. */
export const readLedger = (): Ledger => getLedger(sourcesBelow('shared/contract', '.md'), sourcesBelow('test', '.ts'));

const repeated = (ids: readonly string[]) => [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];

/** Descriptions of the errors in a ledger. */
export function getProblems({ rows, claims, unread }: Ledger): string[] {
  const rowIds = new Set(rows.map(({ id }) => id));
  const claimedIds = new Set(claims.filter(({ title }) => title !== null).flatMap(({ ids }) => ids));
  const twice = repeated(rows.map(({ id }) => id));
  return [
    ...unread,
    ...rows
      .filter(({ id }) => twice.includes(id))
      .map(({ id, location }) => `${location}: ${id} stands more than once in shared/contract.`),
    ...rows
      .filter(({ id }) => !claimedIds.has(id))
      .map(({ id, location }) => `${location}: no test shows ${id}. Write "// Contract: ${id}" above one that does.`),
    ...claims.flatMap(({ ids, location, title }) => [
      ...(title === null ? [`${location}: no test stands right below the claim.`] : []),
      ...ids.filter((id) => !rowIds.has(id)).map((id) => `${location}: shared/contract has no row ${id}.`),
      ...repeated(ids).map((id) => `${location}: ${id} stands twice in the claim.`),
    ]),
  ];
}

/** The ledger as a table to read: each row, and below it the tests that show it. */
export function printed({ rows, claims }: Ledger): string {
  return rows
    .map(({ id, summary }) => {
      const tests = claims.filter(({ ids }) => ids.includes(id));
      return [`${id} | ${summary}`, ...tests.map(({ location, title }) => `    ${location}  ${title}`)].join('\n');
    })
    .join('\n')
    .concat('\n');
}
