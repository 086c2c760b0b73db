import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/*
 * Comments and documents cite the contract as `projects.md section 5.4`, its decisions as `contract decision 17`, and
 * the decisions of `shared/core/decisions` as `decision 34`. A check follows each of them.
 */

const CONTRACT = 'shared/contract';
const DECISIONS = 'shared/core/decisions';

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`\w/])\/\/[^\n]*/g;
const NUMBER = String.raw`\d+[a-z]?(?:\.\d+)*`;
const CITED = new RegExp(
  String.raw`(?<![\w/-])([a-z][a-z-]*\.md)(?: (?:sections? )?(${NUMBER}(?:(?:, | and | to |-)${NUMBER})*))?`,
  'g',
);
const DECISION_FILE = /\b\d{4}-[a-z-]+\.md\b/g;
const DECIDED = /\b(contract )?decisions? (\d+(?:(?:, | and | to )\d+)*)/gi;

/** A document of the contract: the numbers of its sections and of the rules in them. */
type Numbers = ReadonlySet<string>;

/** `7`, `5.4`; and `4.11` for the eleventh rule, or row of the table, of section 4; `.11` where sections have no numbers. */
export function getNumbers(text: string): Numbers {
  const numbers = new Set<string>();
  let section = '';
  for (const line of text.split('\n')) {
    const heading = /^#+ (\d+[a-z]?(?:\.\d+)*)\.? /.exec(line)?.[1];
    if (heading !== undefined) section = heading;
    else if (line.startsWith('## ')) section = '';
    const rule = /^(?:(\d+[a-z]?)\. |\| (\d+[a-z]?) \|)/.exec(line);
    if (heading !== undefined) numbers.add(heading);
    else if (rule) numbers.add(`${section}.${rule[1] ?? rule[2]}`);
  }
  return numbers;
}

const numbersIn = (list: string): string[] => list.split(/, | and | to |-/);

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') yield* filesBelow(name);
    } else if (/\.(?:tsx?|mjs|md)$/.test(entry.name)) yield name;
  }
}

/** What may cite: the comments of a source, the whole of a document; lines keep their numbers. */
const citingText = (file: string, text: string): string[] =>
  file.endsWith('.md') ? [text] : (text.match(COMMENT) ?? []).map((comment) => comment.replaceAll(/\n\s*\* ?/g, ' '));

/** What can be cited. */
export interface Citable {
  /** Documents of the contract by their names, with the numbers of their sections. */
  contract: ReadonlyMap<string, Numbers>;
  /** Names of the pages of `shared/core/decisions`. */
  decisions: ReadonlySet<string>;
}

/** Descriptions of the citations in a file that resolve to nothing. */
export function getBrokenCitations(file: string, text: string, { contract, decisions }: Citable): string[] {
  const numbersOfDecisions = new Set([...decisions].map((name) => String(Number(name.slice(0, 4)))));
  return citingText(file, text).flatMap((citing) => [
    ...[...citing.matchAll(CITED)].flatMap(([, name = '', list]) => {
      const numbers = contract.get(name);
      if (!numbers)
        return existsSync(path.join(path.dirname(file), name)) ? [] : [`${file}: ${CONTRACT} has no ${name}.`];
      return (list ? numbersIn(list) : [])
        .filter((number) => !numbers.has(number))
        .map((number) => `${file}: ${CONTRACT}/${name} has no section ${number}.`);
    }),
    ...[...citing.matchAll(DECISION_FILE)]
      .filter(([name]) => !decisions.has(name))
      .map(([name]) => `${file}: ${DECISIONS} has no ${name}.`),
    ...[...citing.matchAll(DECIDED)].flatMap(([, ofContract, list = '']) => {
      const isOfContract = ofContract !== undefined || file.startsWith(CONTRACT);
      return numbersIn(list)
        .filter(
          (number) => !(isOfContract ? contract.get('README.md')?.has(`.${number}`) : numbersOfDecisions.has(number)),
        )
        .map((number) => `${file}: there is no ${ofContract ?? ''}decision ${number}.`);
    }),
  ]);
}

/** Descriptions of the citations in the checkout that resolve to nothing. */
export function brokenCitations(): string[] {
  const contract = new Map(
    readdirSync(CONTRACT).map((name) => [name, getNumbers(readFileSync(path.join(CONTRACT, name), 'utf8'))] as const),
  );
  const citable = { contract, decisions: new Set(readdirSync(DECISIONS)) };
  return ['shared', 'api', 'workers', 'test', '.github'].flatMap((folder) =>
    [...filesBelow(folder)].flatMap((file) => getBrokenCitations(file, readFileSync(file, 'utf8'), citable)),
  );
}
