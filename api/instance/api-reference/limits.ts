import { instanceSettings } from '../../../shared/instance/application-settings/settings.js';
import { limitSettings } from '../../../shared/instance/application-settings/limits.js';
import { COUNT_LIMIT } from '../../../shared/core/database/list.js';
import { MAX_DEPTH, MAX_KEYS } from '../../core/nested-params.js';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../../core/paging.js';
import { MAX_PAGE } from '../../core/graphql/costs.js';
import { MAX_NODES } from '../../core/graphql/nodes.js';
import { ANONYMOUS_LIMITS, SIGNED_IN_LIMITS } from '../../core/graphql/requests/prepare.js';
import { MAX_BATCH, MAX_QUERY } from '../../core/graphql/requests/read-request.js';
import { TIME_LIMIT_MS } from '../../core/graphql/time-limit.js';
import { MAX_GRAPHQL_URL, MAX_URL } from '../../core/server/url-length.js';

/** One limit: its subject, its value, and the response beyond it. */
interface LimitRow {
  what: string;
  value: string;
  beyond: string;
}

export interface LimitGroup {
  title: string;
  rows: LimitRow[];
}

const count = (value: number) => value.toLocaleString('en');
const kib = (bytes: number) => `${count(bytes / 1024)} KiB`;
const bySetting = (name: keyof typeof instanceSettings) =>
  `${count(instanceSettings[name].default as number)} by default; the setting ${name}`;

const rest = (): LimitRow[] => [
  {
    what: 'per_page, of offset and keyset pagination',
    value: `${DEFAULT_PER_PAGE} by default, at most ${MAX_PER_PAGE}`,
    beyond: `More than ${MAX_PER_PAGE} gives ${MAX_PER_PAGE}.`,
  },
  { what: 'page, of offset pagination', value: '1 by default', beyond: '0 and below are page 1.' },
  {
    what: 'Furthest record that offset pagination reaches, where keyset pagination is offered',
    value: bySetting('offset_pagination_limit'),
    beyond: 'Refused; keyset pagination goes on.',
  },
  {
    what: 'Records that are counted',
    value: count(COUNT_LIMIT),
    beyond: 'x-total, x-total-pages and the link rel="last" are left out.',
  },
  { what: 'Length of the URL', value: kib(MAX_URL), beyond: '414' },
  { what: 'Body as JSON or form', value: '20 MiB', beyond: '413' },
  { what: 'Depth of parameters', value: `${MAX_DEPTH} levels, ${count(MAX_KEYS)} keys`, beyond: '400' },
  { what: 'Key of a variable of a schedule', value: '255 characters: A-Z, a-z, 0-9, _', beyond: '400' },
  { what: 'Imported archive, in MiB', value: bySetting('max_import_size'), beyond: '0 is unlimited.' },
  {
    what: 'Repository imported from a URL, in MiB',
    value: bySetting('max_import_remote_file_size'),
    beyond: '0 is unlimited.',
  },
];

const both = (signedIn: number, anonymous: number) => `${signedIn} signed in, ${anonymous} without a credential`;

const graphql = (): LimitRow[] => [
  {
    what: 'Complexity of a query, which queryComplexity tells',
    value: both(SIGNED_IN_LIMITS.complexity, ANONYMOUS_LIMITS.complexity),
    beyond: 'An error; nothing is run.',
  },
  {
    what: 'Depth of a query',
    value: both(SIGNED_IN_LIMITS.depth, ANONYMOUS_LIMITS.depth),
    beyond: 'An error; nothing is run.',
  },
  {
    what: 'Nodes of a page',
    value: `${MAX_PAGE} by default and at most`,
    beyond: `More than ${MAX_PAGE} gives ${MAX_PAGE}.`,
  },
  { what: 'Nodes of an answer', value: count(MAX_NODES), beyond: 'An error; nothing is run.' },
  { what: 'Text of a query', value: `${count(MAX_QUERY)} characters`, beyond: '422' },
  { what: 'Queries of a batch', value: count(MAX_BATCH), beyond: '422' },
  {
    what: 'Time of a request',
    value: `${TIME_LIMIT_MS / 1000} s`,
    beyond: 'An error for each field that was not reached.',
  },
  { what: 'Length of the URL', value: kib(MAX_GRAPHQL_URL), beyond: '414' },
];

const rates = (): LimitRow[] =>
  Object.entries(limitSettings).flatMap(([name, { default: fallback, docs }]) =>
    typeof fallback !== 'number'
      ? []
      : [
          {
            what: docs.replace(/; 0 is off\.$/, '').replace(/\.$/, ''),
            value: fallback === 0 ? 'off' : count(fallback),
            beyond: name,
          },
        ],
  );

/** What callers are held to (contract/README.md "Rate limits and their defaults"): the constants of the code, and the defaults of the settings. */
export const limitGroups = (): LimitGroup[] => [
  { title: 'REST', rows: rest() },
  { title: 'GraphQL', rows: graphql() },
  { title: 'Rates', rows: rates() },
];
