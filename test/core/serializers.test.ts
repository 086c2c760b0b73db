import test from 'ava';
import { allRoutes } from '../../api/domains.js';
import type { RestRoute } from '../../api/core/routes.js';
import { ANONYMOUS, UserCaller } from '../../shared/core/context/callers.js';
import type { Context } from '../../shared/core/context/context.js';
import { load } from '../../shared/core/context/loads.js';
import {
  extendSerializer,
  inView,
  out,
  presentOne,
  serializer,
  visibleIf,
} from '../../shared/core/operations/serializer.js';
import type { Serializer } from '../../shared/core/operations/serializer.js';
import { sql } from 'kysely';
import { useApp } from './app.js';

const app = useApp(test);

interface Thing {
  id: number;
  name: string;
}

const connection = () => sql`select pg_backend_pid() as pid, transaction_timestamp() as at`;
const asking = () =>
  load(
    ({ id }: Readonly<Thing>) => id,
    async (ctx, things) => {
      const [row] = await ctx.query<{ pid: number; at: Date }>(connection());
      return new Map(things.map(({ id }) => [id, row!]));
    },
  );

test('what a load reads lies beside the record, which stays as it was found', async (t) => {
  const lengths = load(
    ({ id }: Readonly<Thing>) => id,
    (_ctx, things) => Promise.resolve(new Map(things.map(({ id, name }) => [id, name.length]))),
  );
  const thingSerializer = serializer<Thing>(
    'Thing',
    { length: out.integer((thing, ctx) => lengths.of(thing, ctx)) },
    { loads: [lengths] },
  );
  const thing = Object.freeze({ id: 1, name: 'rocket' });
  t.deepEqual(await presentOne(app.context(), thingSerializer, thing), { length: 6 });
  t.deepEqual(thing, { id: 1, name: 'rocket' });
});

test('a load that writes into the record fails', async (t) => {
  const writing = load(
    ({ id }: Readonly<Thing>) => id,
    (_ctx, things) => {
      for (const thing of things) (thing as Thing).name = 'changed';
      return Promise.resolve(new Map<number, never>());
    },
  );
  const thingSerializer = serializer<Thing>('Thing', {}, { loads: [writing] });
  await t.throwsAsync(presentOne(app.context(), thingSerializer, { id: 1, name: 'rocket' }), { instanceOf: TypeError });
});

test('one request knows nothing of what another has loaded for the same record', async (t) => {
  const counted: number[] = [];
  const counts = load(
    ({ id }: Readonly<Thing>) => id,
    (_ctx, things) => Promise.resolve(new Map(things.map(({ id }) => [id, counted.push(id)]))),
  );
  const thingSerializer = serializer<Thing>(
    'Thing',
    { count: out.integer((thing, ctx) => counts.of(thing, ctx)) },
    { loads: [counts] },
  );
  const thing = { id: 1, name: 'rocket' };
  t.deepEqual(await presentOne(app.context(), thingSerializer, thing), { count: 1 });
  t.deepEqual(await presentOne(app.context(), thingSerializer, thing), { count: 2 });
});

test('the loads of a page share one round trip, those that a higher domain adds too, and ask once for all records', async (t) => {
  const [first, second, added] = [asking(), asking(), asking()];
  const at = (read: typeof first) => out.instant<Thing>((thing, ctx) => read.of(thing, ctx)?.at);
  const thingSerializer = serializer<Thing>(
    'Thing',
    { first: at(first), second: at(second) },
    { loads: [first, second] },
  );
  extendSerializer(thingSerializer, { added: at(added) }, [added]);
  const ctx = app.context();
  const things = [1, 2, 3].map((id) => ({ id, name: `thing ${id}` }));
  await thingSerializer.load(ctx, things);
  const records = things.map((thing) => thingSerializer.present(thing, ctx));
  t.deepEqual(Object.keys(records[0]!), ['first', 'second', 'added']);
  t.is(new Set(records.flatMap((one) => Object.values(one))).size, 1);
});

test('a view is shown and loaded where a parameter of its name asks for it, to whom it is for', async (t) => {
  let loaded = 0;
  const secrets = load(
    ({ id }: Readonly<Thing>) => id,
    (_ctx, things) => {
      loaded += 1;
      return Promise.resolve(new Map(things.map(({ id }) => [id, 'known'])));
    },
  );
  const thingSerializer = serializer<Thing>(
    'Thing',
    {
      id: out.integer(({ id }) => id),
      ...inView('with_secret', { secret: out.text((thing, ctx) => secrets.of(thing, ctx)) }),
      ...inView('with_name', { name: out.text(({ name }) => name) }),
    },
    {
      views: {
        with_secret: { loads: [secrets], when: (ctx: Context) => ctx.caller.admin },
        with_name: { byDefault: true },
      },
    },
  );
  const admin = app.context(
    new UserCaller({
      id: 1,
      username: 'a',
      name: 'A',
      state: 'active',
      auditor: false,
      admin: true,
      external: false,
      bot: false,
      namespace_id: null,
    }),
  );
  const present = (ctx: Context, input: Record<string, unknown>) =>
    presentOne(ctx, thingSerializer.selectViews(ctx, input), { id: 1, name: 'rocket' });
  t.deepEqual(await present(admin, {}), { id: 1, name: 'rocket' });
  t.deepEqual(await present(app.context(ANONYMOUS), { with_secret: true }), { id: 1, name: 'rocket' });
  t.is(loaded, 0);
  t.deepEqual(await present(admin, { with_secret: true, with_name: false }), { id: 1, secret: 'known' });
  t.is(loaded, 1);
});

test('a condition that fields share is asked once for a record', (t) => {
  let calls = 0;
  const thingSerializer = serializer<Thing>('Thing', {
    ...visibleIf<Thing>(
      ({ id }) => {
        calls += 1;
        return id > 1;
      },
      { one: out.integer(({ id }) => id), two: out.integer(({ id }) => id), three: out.text(({ name }) => name) },
    ),
  });
  const ctx = app.context();
  t.is(JSON.stringify(thingSerializer.present({ id: 1, name: 'a' }, ctx)), '{}');
  t.deepEqual(thingSerializer.present({ id: 2, name: 'b' }, ctx), { one: 2, two: 2, three: 'b' });
  t.is(calls, 2);
});

const PERSON = {
  id: 1,
  username: '',
  name: '',
  state: 'active',
  auditor: false,
  external: false,
  bot: false,
  namespace_id: null,
};
const CALLERS = [ANONYMOUS, new UserCaller({ ...PERSON, admin: false }), new UserCaller({ ...PERSON, admin: true })];

/** Views of serializers whose fields another serializer also has, and whose routes have no such parameter. */
const UNASKED = [
  'AddedMembers: show_seat_info',
  'BasicProject: license',
  'MergeRequestChanges: include_diverged_commits_count',
  'MergeRequestChanges: include_rebase_in_progress',
  'Project: license',
  'Project: statistics',
];

function getSerializers({ options: { present } }: RestRoute): Serializer<unknown>[] {
  if (typeof present !== 'function') return present ? [present] : [];
  return CALLERS.map((caller) => present(app.context(caller)));
}

test('each view of a shape is a parameter of a route that answers with it, or is chosen by such a route', (t) => {
  const reached = new Map<string, boolean>();
  for (const route of allRoutes)
    for (const thingSerializer of getSerializers(route))
      for (const view of Object.keys(thingSerializer.views)) {
        const name = `${thingSerializer.name}: ${view}`;
        const byRoute = thingSerializer === thingSerializer.showing([view]);
        reached.set(name, reached.get(name) || byRoute || view in route.operation.params.shape);
      }
  t.true(reached.has('Tag: whole') && reached.has('ListedCommit: with_stats'));
  t.deepEqual([...reached].flatMap(([name, isReached]) => (isReached ? [] : [name])).sort(), UNASKED);
});
