import { getCurl } from '../../data/call.js';
import type { Call } from '../../data/call.js';

/** A call of JSON, or without a body. */
export type JsonCall = Call & { body: string | null };

const REST = '/api/v4';
const GRAPHQL = '/api/graphql';

export const isGraphql = ({ url }: Call): boolean => url === GRAPHQL;

/** Parameters of a query by their names; `ids[]=1&ids[]=2` is `ids: ['1', '2']`. */
function getQuery(url: URL, nameOf: (name: string) => string): Record<string, string | string[]> {
  const names = [...new Set(url.searchParams.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = url.searchParams.getAll(name);
      return [nameOf(name), name.endsWith('[]') ? values : (values.at(-1) ?? '')];
    }),
  );
}

/** JSON as Python writes it. */
function python(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}: ${python(one)}`)
    .join(', ')}}`;
}

const isEmpty = (value: object) => Object.keys(value).length === 0;

function getGitbeaker({ method, url, body }: JsonCall): string {
  const at = new URL(url, location.origin);
  const query = getQuery(at, (name) => name.replace(/\[\]$/, ''));
  const options = {
    ...(isEmpty(query) ? {} : { searchParams: query }),
    ...(body === null ? {} : { body: JSON.parse(body) as unknown }),
  };
  const path = JSON.stringify(at.pathname.slice(`${REST}/`.length));
  const args = isEmpty(options) ? path : `${path}, ${JSON.stringify(options, null, 2)}`;
  return [
    "import { Gitlab } from '@gitbeaker/rest';",
    '',
    `const api = new Gitlab({ host: '${location.origin}', token: process.env.TOKEN });`,
    `const { body } = await api.Projects.requester.${method.toLowerCase()}(${args});`,
  ].join('\n');
}

const PYTHON_DATA: Readonly<Record<string, string>> = { POST: 'post_data', PUT: 'post_data', PATCH: 'post_data' };

function getPython({ method, url, body }: JsonCall): string {
  const at = new URL(url, location.origin);
  const query = getQuery(at, (name) => name);
  const data = PYTHON_DATA[method];
  const args = [
    python(at.pathname.slice(REST.length)),
    ...(isEmpty(query) ? [] : [`query_data=${python(query)}`]),
    ...(body === null || data === undefined ? [] : [`${data}=${python(JSON.parse(body))}`]),
  ];
  return [
    'import os',
    'import gitlab',
    '',
    `gl = gitlab.Gitlab("${location.origin}", private_token=os.environ["TOKEN"])`,
    `answer = gl.http_${method.toLowerCase()}(${args.join(', ')})`,
  ].join('\n');
}

interface Query {
  query: string;
  variables?: Record<string, unknown>;
}

function getPythonQuery({ query, variables = {} }: Query): string {
  const args = isEmpty(variables) ? '' : `, variable_values=${python(variables)}`;
  return [
    'import os',
    'import gitlab',
    '',
    `gq = gitlab.GraphQL("${location.origin}", token=os.environ["TOKEN"])`,
    `answer = gq.execute("""${query.replaceAll('\\', '\\\\')}"""${args})`,
  ].join('\n');
}

/** The query with its variables below it. */
function getGraphql({ query, variables = {} }: Query): string {
  return isEmpty(variables) ? query : `${query}\n\n# Variables\n${JSON.stringify(variables, null, 2)}`;
}

/** The same call in each language that has a client, with a token instead of the session. */
export function getSnippets(call: JsonCall): Readonly<Record<string, string>> {
  if (isGraphql(call)) {
    const query = JSON.parse(call.body ?? '{}') as Query;
    return { GraphQL: getGraphql(query), curl: getCurl(call), 'python-gitlab': getPythonQuery(query) };
  }
  return { curl: getCurl(call), '@gitbeaker/rest': getGitbeaker(call), 'python-gitlab': getPython(call) };
}
