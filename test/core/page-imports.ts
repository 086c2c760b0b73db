import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getCircles } from './import-rules.js';

const ROOT = 'api/web';

/** The floors of the pages: each imports those before it. What lies in none of them is above all. */
const FLOORS = ['ui', 'data', 'app', 'features'];

export interface PageImport {
  file: string;
  /** The imported file. */
  target: string;
  /** Loaded when it is first needed. */
  lazy: boolean;
}

/** The sources of the pages, as paths from the root. */
function* pageSources(folder = ROOT): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') yield* pageSources(name);
    } else if (/\.tsx?$/.test(entry.name)) yield name;
  }
}

/** Every import of one source of the pages by another, also of types alone. */
function allPageImports(): PageImport[] {
  const files = new Set(pageSources());
  return [...files].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(from|import\(|import)\s*'(\.[^']+)\.js'/g)].flatMap(
      ([, keyword, specifier]) => {
        const base = path.posix.join(path.posix.dirname(file), specifier as string);
        const target = [`${base}.ts`, `${base}.tsx`].find((name) => files.has(name));
        return target === undefined ? [] : [{ file, target, lazy: keyword === 'import(' }];
      },
    ),
  );
}

const getFloor = (file: string): number => {
  const at = FLOORS.indexOf(file.split('/')[2] ?? '');
  return at < 0 ? FLOORS.length : at;
};

/** The feature that a file belongs to: `planning/issues`. */
function getFeature(file: string): string | undefined {
  const [, , floor, domain, area, name] = file.split('/');
  return floor === 'features' && name !== undefined ? `${domain}/${area}` : undefined;
}

/** What is wrong with an import; null where nothing is. */
function getProblem({ file, target, lazy }: PageImport): string | null {
  if (getFloor(target) > getFloor(file)) return `${FLOORS[getFloor(file)]} lies below it.`;
  const feature = getFeature(target);
  const isOther = feature !== undefined && getFeature(file) !== undefined && feature !== getFeature(file);
  return isOther && !lazy && !target.endsWith('/index.ts') ? 'a feature imports another by its index.' : null;
}

/** Imports of the pages that break a rule, in words. */
export function brokenPageImports(imports: readonly PageImport[] = allPageImports()): string[] {
  return imports.flatMap((each) => {
    const problem = getProblem(each);
    return problem === null ? [] : [`${each.file} imports ${each.target}: ${problem}`];
  });
}

function circlesBetween(imports: readonly PageImport[], nameOf: (file: string) => string): string[][] {
  const next = new Map<string, Set<string>>();
  for (const { file, target, lazy } of imports) {
    const [from, to] = [nameOf(file), nameOf(target)];
    if (!lazy && from !== to) next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  return getCircles(next);
}

/** Files of the pages, and folders, that reach each other by imports that are not lazy. */
export const pageCircles = (imports: readonly PageImport[] = allPageImports()): string[][] => [
  ...circlesBetween(imports, (file) => file),
  ...circlesBetween(imports, path.posix.dirname),
];
