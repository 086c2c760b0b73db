import { readFileSync } from 'node:fs';
import ts from 'typescript5';
import { sources } from './import-rules.js';

/** How many statements may be written as text outside of migrations (decision 4). */
export const MOST_STATEMENTS = 60;

/** How a statement begins; a fragment of one does not. */
const STATEMENT =
  /^\s*(?:with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\b|select\b|insert\s+into\b|update\s+\S+\s+(?:\w+\s+)?set\b|delete\s+from\b|truncate\b|lock\s+table\b|set\s+(?:local\s+)?\w+|listen\b|notify\b|begin\b|commit\b|rollback\b|vacuum\b|analyze\b|reindex\b)/i;

/** Above a statement that stays text; why follows. */
const REASON = /\/\/ Plain SQL: \S/;

/** A statement that is written as text. */
export interface WrittenStatement {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Whether a comment above it explains why it is not a typed query. */
  readonly explained: boolean;
}

const isSqlTag = (tag: ts.Expression): boolean => ts.isIdentifier(tag) && /^(?:sql|kyselySql)$/.test(tag.text);

/** The text of a template, without its substitutions. */
const readText = (template: ts.TemplateLiteral | ts.StringLiteralLike): string =>
  ts.isTemplateExpression(template)
    ? [template.head, ...template.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('?')
    : template.text;

const asText = (node: ts.Node | undefined): ts.TemplateLiteral | ts.StringLiteralLike | undefined =>
  node && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) ? node : undefined;

/**
 * The text that a node sends to the database: that of an `sql` template, the argument of `query`, or the `text` of a
 * statement.
 */
function sentText(node: ts.Node): ts.TemplateLiteral | ts.StringLiteralLike | undefined {
  if (ts.isTaggedTemplateExpression(node) && isSqlTag(node.tag)) return node.template;
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'text') return asText(node.initializer);
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  return node.expression.name.text === 'query' ? asText(node.arguments[0]) : undefined;
}

/** The scope of a comment: one above such a node covers everything in it. */
const isUnit = (node: ts.Node): boolean =>
  ts.isStatement(node) || ts.isClassElement(node) || ts.isPropertyAssignment(node);

/** Whether the line above a node, or a comment above the statement that holds it, gives the reason. */
function isExplained(node: ts.Node, file: ts.SourceFile, lines: readonly string[]): boolean {
  const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
  if (REASON.test(lines[line - 1] ?? '')) return true;
  let unit = node;
  while (unit.parent && !isUnit(unit)) unit = unit.parent;
  return REASON.test(file.text.slice(unit.getFullStart(), unit.getStart(file)));
}

/** The statements of a source that are text. */
export function writtenStatements(name: string, source: string): WrittenStatement[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const lines = source.split('\n');
  const found: WrittenStatement[] = [];
  const visit = (node: ts.Node): void => {
    const text = sentText(node);
    if (text && STATEMENT.test(readText(text))) {
      const { line } = file.getLineAndCharacterOfPosition(text.getStart(file));
      found.push({ file: name, line: line + 1, explained: isExplained(text, file, lines) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const allStatements = (): WrittenStatement[] =>
  ['shared', 'api', 'workers'].flatMap((folder) =>
    [...sources(folder)].flatMap((file) => writtenStatements(file, readFileSync(file, 'utf8'))),
  );

/** Describes raw statements without an explanation, and an excessive number of them. */
export function needlessStatements(statements: readonly WrittenStatement[] = allStatements()): string[] {
  const without = statements.filter(({ explained }) => !explained);
  const problems = without.map(
    ({ file, line }) => `${file}:${line} is SQL as text: write a typed query, or "// Plain SQL: <why>" above it.`,
  );
  if (statements.length > MOST_STATEMENTS)
    problems.push(`${statements.length} statements are SQL as text, of at most ${MOST_STATEMENTS}.`);
  return problems;
}
