import { otherSettings, settingRules } from '#settings/setting-rules.mjs';
import { getOperationTag, getPathTemplate } from '../../core/openapi/operations.js';
import type { Json } from '../../core/openapi/schemas.js';
import { REST_BASE } from '../../core/routes.js';
import type { RestRoute } from '../../core/routes.js';

interface DescribedSetting {
  schema: Json;
  docs: string;
  default?: unknown;
  secret?: true;
}

/** What the tables of the pages are made of. */
export interface HelpDeclarations {
  routes: readonly RestRoute[];
  /** By what they are of: `application`, `limits`, `project`, `group`. */
  settings: Readonly<Record<string, Readonly<Record<string, DescribedSetting>>>>;
  limits: readonly { title: string; rows: readonly { what: string; value: string; beyond: string }[] }[];
  plans: readonly {
    area: string;
    method: string;
    path: string;
    summary: string;
    plan: string;
    offerings: readonly string[];
  }[];
}

/** One line of a cell: what would end the cell, or be HTML, is escaped; code stays code. */
const cell = (text: string): string =>
  text
    .replaceAll('\n', ' ')
    .replaceAll('|', '\\|')
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;')))
    .join('');

const code = (text: string): string => `\`${text}\``;

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, titles.map(() => '---'), ...rows.map((cells) => cells.map(cell))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Settings of the environment, by the rules that the launcher and the service read them by. */
function environmentTable(): string {
  const rules: Record<string, { fallback?: string; unset?: string; docs: string; expected: string }> = {
    ...settingRules,
    ...otherSettings,
  };
  const rows = Object.entries(rules).map(([name, { fallback, unset = '', docs, expected }]) => [
    code(name),
    fallback === undefined ? capital(unset) : code(fallback),
    docs,
    expected,
  ]);
  return table(['Name', 'Default', 'Meaning', 'Value'], rows);
}

/** What a setting may be, in words. */
function getType(schema: Json): string {
  const { type, enum: values, anyOf, items, minimum, maximum } = schema;
  if (Array.isArray(values)) return values.map((value) => code(String(value))).join(', ');
  if (Array.isArray(anyOf)) return [...new Set((anyOf as Json[]).map(getType))].join(' or ');
  if (items !== undefined) return `list of ${getType(items as Json)}`;
  const types = [type ?? 'any'].flat().join(' or ');
  // Zod bounds every whole number by what JavaScript counts exactly.
  const isBounded = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER;
  if (isBounded && typeof minimum === 'number') return `${types}, ${minimum} to ${maximum}`;
  return types;
}

function formatDefault({ default: value, secret }: DescribedSetting): string {
  if (secret || value === '') return 'empty';
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.map((one) => code(String(one))).join(', ');
  return code(String(value));
}

/** Settings at `/application/settings` and the like, each with its default. */
const instanceTable = (settings: Readonly<Record<string, DescribedSetting>>): string =>
  table(
    ['Name', 'Values', 'Default', 'Meaning'],
    Object.entries(settings).map(([name, setting]) => [
      code(name),
      getType(setting.schema),
      formatDefault(setting),
      setting.docs,
    ]),
  );

/** Settings of projects or groups, as their edit takes them. */
const containerTable = (settings: Readonly<Record<string, DescribedSetting>>): string =>
  table(
    ['Name', 'Values', 'Meaning'],
    Object.entries(settings).map(([name, { schema, docs }]) => [code(name), getType(schema), docs]),
  );

/** Operations of an area of the API, folded away. */
function operationsTable(routes: readonly RestRoute[], area: string): string {
  const members = routes.filter((route) => !route.options.alias && getOperationTag(route) === area);
  if (members.length === 0) throw new Error(`No operation is of ${area}.`);
  const rows = members.map(({ method, path, operation }) => [
    `[${operation.summary}](/-/api-docs#/${encodeURIComponent(area)}/${operation.name})`,
    code(`${method} ${REST_BASE}${getPathTemplate(path)}`),
  ]);
  const count = members.length === 1 ? '1 operation' : `${members.length} operations`;
  return [`<details>\n<summary>${area}: ${count}</summary>`, table(['Operation', 'Request'], rows), '</details>'].join(
    '\n\n',
  );
}

const limitsTables = (groups: HelpDeclarations['limits']): string =>
  groups
    .map(({ title, rows }) => {
      const last = title === 'Rates' ? 'Setting' : 'Beyond it';
      const cells = rows.map(({ what, value, beyond }) => [what, value, title === 'Rates' ? code(beyond) : beyond]);
      return `### ${title}\n\n${table(['Limit', 'Value', last], cells)}`;
    })
    .join('\n\n');

/** One row for all operations of an area with the same needs. */
function plansTable(plans: HelpDeclarations['plans']): string {
  const byNeeds = Map.groupBy(plans, ({ area, plan, offerings }) =>
    [area, capital(plan), offerings.join(', ') || 'all'].join('\n'),
  );
  const rows = [...byNeeds].map(([needs, { length }]) => [...needs.split('\n'), String(length)]);
  return table(['Area', 'Plan', 'Offerings', 'Operations'], rows);
}

/** A comment that a generated table stands in for: its kind, and of what it is. */
const MARK = /^<!-- generated: (\w+)(?: (.+))? -->$/gm;

/** A page with the tables that are made of declarations. @throws for a mark that names nothing */
export const withDeclaredTables = (markdown: string, { routes, settings, limits, plans }: HelpDeclarations): string =>
  markdown.replace(MARK, (mark, kind: string, of: string = '') => {
    const declared = settings[of];
    if (kind === 'environment') return environmentTable();
    if (kind === 'operations')
      return of
        .split(', ')
        .map((area) => operationsTable(routes, area))
        .join('\n\n');
    if (kind === 'limits') return limitsTables(limits);
    if (kind === 'plans') return plansTable(plans);
    if (kind !== 'settings' || !declared) throw new Error(`Nothing is generated by ${mark}.`);
    return of === 'project' || of === 'group' ? containerTable(declared) : instanceTable(declared);
  });
