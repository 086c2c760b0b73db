import test from 'ava';
import { z } from 'zod';
import { allRoutes } from '../../../api/domains.js';
import type { RestRoute } from '../../../api/core/routes.js';
import { ANONYMOUS, UserCaller } from '../../../shared/core/context/callers.js';
import type { UserOrAnonymous } from '../../../shared/core/context/callers.js';
import { Forbidden, NotFound, Unauthenticated } from '../../../shared/core/values/errors.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { can, instance, operation } from '../../../shared/core/operations/operation.js';
import type { Offering, Plan } from '../../../shared/core/operations/operation.js';
import { policy } from '../../../shared/core/operations/policy.js';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { areaExamples } from '../../core/examples.js';

const app = useApp(test);

const PLANS: readonly Plan[] = ['free', 'premium', 'ultimate'];
const OFFERINGS: readonly Offering[] = ['saas', 'self-managed', 'dedicated'];
const OWN: readonly Offering[] = ['self-managed', 'dedicated'];

/** What the areas say they need: README "Plans and offerings". */
const NEEDS = areaExamples.flatMap(({ needs = [] }) => needs);

/** The operation with everything but plan and offering removed, so that only these decide. */
function bare({ operation: declared }: RestRoute) {
  const { plan, offerings, denial, scopes } = declared;
  return operation({
    name: 'doSomething',
    summary: declared.summary,
    resource: instance,
    authentication: 'open',
    kind: 'read',
    scopes,
    run: () => Promise.resolve('ran'),
    ...(plan && { plan }),
    ...(offerings && { offerings }),
    ...(denial && { denial }),
  });
}

async function outcome(route: RestRoute): Promise<string> {
  const ctx = app.context(new UserCaller(await admin()));
  try {
    return await invoke(ctx, bare(route), {});
  } catch (error) {
    return (error as Error).message;
  }
}

let adminPromise: ReturnType<typeof app.build.admin> | undefined;
const admin = () => (adminPromise ??= app.build.admin());
const back = () => app.set({ plan: 'ultimate', offering: 'self-managed' });

// Contract: plans-1
test.serial('every operation declares the plan and the offerings that the contract says it needs', (t) => {
  t.true(NEEDS.length > 12);
  for (const { method, path, operation: declared } of allRoutes) {
    const need = NEEDS.find((row) => row.path.test(path));
    t.is(declared.plan ?? 'free', need?.plan ?? 'free', `${method} ${path}`);
    t.deepEqual(declared.offerings ?? OFFERINGS, need?.offerings ?? OFFERINGS, `${method} ${path}`);
  }
});

// Contract: plans-2
test.serial('every operation runs where plan and offering have it, and is refused everywhere else', async (t) => {
  for (const plan of PLANS) {
    for (const offering of OFFERINGS) {
      await app.set({ plan, offering });
      for (const route of allRoutes) {
        const { plan: needed = 'free', offerings = OFFERINGS, denial } = route.operation;
        const has = PLANS.indexOf(plan) >= PLANS.indexOf(needed);
        const expected = !offerings.includes(offering)
          ? '404 Not Found'
          : has
            ? 'ran'
            : (denial?.().message ?? '403 Forbidden');
        t.is(await outcome(route), expected, `${route.method} ${route.path} on ${plan} ${offering}`);
      }
    }
  }
  await back();
});

const rules = policy({ see: (caller: UserOrAnonymous) => caller.admin });
const premium = operation({
  name: 'premium',
  summary: 'Something of a higher plan',
  resource: {
    ...instance,
    find: (_ctx, input) => (input.id === '1' ? Promise.resolve(null) : Promise.reject(new NotFound('Thing'))),
    params: { id: z.string() },
  },
  can: can(rules, 'see'),
  plan: 'premium',
  kind: 'read',
  run: () => Promise.resolve('ran'),
});

// Contract: plans-3
test.serial(
  'a plan that lacks an operation answers 403 once the container is found, 404 and 401 come first',
  async (t) => {
    await app.set({ plan: 'free' });
    const ctx = app.context(new UserCaller(await admin()));
    t.is((await t.throwsAsync(invoke(ctx, premium, { id: '1' }), { instanceOf: Forbidden }))?.message, '403 Forbidden');
    await t.throwsAsync(invoke(ctx, premium, { id: '2' }), { instanceOf: NotFound });
    await t.throwsAsync(invoke(app.context(), premium, { id: '1' }), { instanceOf: Unauthenticated });
    await app.set({ plan: 'premium' });
    t.is(await invoke(ctx, premium, { id: '1' }), 'ran');
    await app.set({ plan: 'ultimate' });
    t.is(await invoke(ctx, premium, { id: '1' }), 'ran');
  },
);

// Contract: plans-4
test.serial('an operation says in its own words what plan or role refuses', async (t) => {
  const error = () => new Unauthenticated('missing', 'You do not have permission to access dora metrics.');
  const metrics = { ...premium, plan: 'ultimate' as const, denial: error };
  await app.set({ plan: 'premium' });
  const asAdmin = app.context(new UserCaller(await admin()));
  const expectedError = { instanceOf: Unauthenticated, message: 'You do not have permission to access dora metrics.' };
  await t.throwsAsync(invoke(asAdmin, metrics, { id: '1' }), expectedError);
  await back();
  t.is(await invoke(asAdmin, metrics, { id: '1' }), 'ran');
  await t.throwsAsync(invoke(app.context(new UserCaller(await app.build.user())), metrics, { id: '1' }), expectedError);
});

// Contract: plans-5
test.serial('what an offering lacks is not there for anybody, signed in or not', async (t) => {
  const own = { ...premium, offerings: OWN };
  await app.set({ offering: 'saas' });
  for (const caller of [ANONYMOUS, new UserCaller(await admin())])
    await t.throwsAsync(invoke(app.context(caller), own, { id: '1' }), {
      instanceOf: NotFound,
      message: '404 Not Found',
    });
  await app.set({ offering: 'dedicated' });
  t.is(await invoke(app.context(new UserCaller(await admin())), own, { id: '1' }), 'ran');
  await back();
});

// Contract: plans-6
test.serial('lowering the plan hides the date of delayed deletion and raising it shows it again', async (t) => {
  const project = await app.build.project();
  await app.services.db.query(
    sql`update projects set marked_for_deletion_at = '2029-12-31T10:00:00Z' where id = ${project.id}`,
  );
  const dates = async () => {
    const { body } = await app.as(project.owner).get(`/projects/${project.id}`);
    return [body.marked_for_deletion_on, body.marked_for_deletion_at];
  };
  t.deepEqual(await dates(), ['2029-12-31', '2029-12-31']);
  await app.set({ plan: 'free' });
  t.deepEqual(await dates(), [null, null]);
  await back();
  t.deepEqual(await dates(), ['2029-12-31', '2029-12-31']);
});

// Contract: plans-7
test.serial('below Premium a tag is protected for roles alone: entries for users and groups are ignored', async (t) => {
  const project = await app.build.project();
  const developer = await app.build.member(project, 'developer');
  const protect = async (name: string, body: object) =>
    (await app.as(project.owner).post(`/projects/${project.id}/protected_tags`, { name, ...body })).body
      .create_access_levels as { access_level: number | null; user_id?: number | null }[];
  await app.set({ plan: 'free' });
  const levels = (entries: { access_level: number | null }[]) => entries.map((entry) => entry.access_level);
  t.deepEqual(levels(await protect('a', { allowed_to_create: [{ user_id: developer.id }] })), [40]);
  t.deepEqual(
    levels(await protect('b', { allowed_to_create: [{ user_id: developer.id }, { access_level: 30 }] })),
    [30],
  );
  await back();
  t.is((await protect('c', { allowed_to_create: [{ user_id: developer.id }] }))[0]?.user_id, developer.id);
});

// Contract: plans-7
test.serial('below Premium a branch is protected by plain levels: allowed_to entries are ignored', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const branches = `/projects/${project.id}/protected_branches`;
  await app.set({ plan: 'free' });
  const response = await owner.post(branches, { name: 'x', allowed_to_push: [{ access_level: 30 }] });
  t.is(response.status, 201);
  const levels = (entries: { access_level: number }[]) => entries.map((entry) => entry.access_level);
  t.deepEqual(levels(response.body.push_access_levels), [40]);
  const edited = await owner.patch(`${branches}/x`, { allowed_to_push: [{ access_level: 30 }] });
  t.deepEqual(levels(edited.body.push_access_levels), [40]);
  await back();
  const wider = await owner.patch(`${branches}/x`, { allowed_to_push: [{ access_level: 30 }] });
  t.true(levels(wider.body.push_access_levels).includes(30));
});
