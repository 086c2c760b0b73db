import test from 'ava';
import { keepLastOwners } from '../../../shared/tenancy/members/keep-last-owners.js';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { queryOne } from '../../core/query-one.js';

const app = useApp(test);
const DAY = '1 day';

const day = (after: number) => new Date(app.clock.now().getTime() + after * 86_400_000).toISOString().slice(0, 10);
const end = (group: { id: number }, user: BuiltUser, after: number) =>
  app.build.groupMember(group, 'owner', user, day(after));
const roleEnds = async (group: { id: number }, user: BuiltUser) =>
  (
    await queryOne<{ expires_on: string | null }>(
      app.context(),
      sql`
      select expires_on::text as "expires_on" from group_members
       where namespace_id = ${group.id} and user_id = ${user.id}`,
    )
  )?.expires_on;

// Contract: core-4.last-owner-ends
test.serial('the last active Owner of a group stays when the role ends by its day, and the log says so', async (t) => {
  const group = await app.build.group();
  const { owner } = group;
  const other = await end(group, await app.build.user(), 2);
  await end(group, owner, 1);
  t.is(await keepLastOwners(app.context()), 0, 'somebody else owns it tomorrow');
  app.clock.advance(DAY);
  t.is(await keepLastOwners(app.context()), 1);
  t.is(await keepLastOwners(app.context()), 0, 'a second time changes nothing');
  t.is(await roleEnds(group, other), null);
  t.not(await roleEnds(group, owner), null);
  app.clock.advance('3 days');
  t.is((await app.as(other).put(`/groups/${group.id}`, { description: 'still here' })).status, 200);
  const { body } = await app.as(other).get(`/groups/${group.id}/audit_events?per_page=100`);
  const [event] = body.filter(({ event_name: name }: { event_name: string }) => name === 'member_kept');
  t.like(event.details, {
    target_id: other.id,
    target_details: other.username,
    custom_message: `Kept ${other.username} as the last Owner, whose role was to end on ${day(-2)}`,
  });
});

// Contract: core-4.last-owner-ends
test.serial(
  'of several whose roles end the one that ends last is kept; Owners above, and none but people, count',
  async (t) => {
    const group = await app.build.group();
    const { owner } = group;
    const subgroup = await app.build.group({ owner, parent: group });
    const [first, blocked] = [await app.build.user(), await app.build.user()];
    await end(subgroup, first, 1);
    t.is(await keepLastOwners(app.context()), 0, 'the Owner of the group above answers for it');
    await end(group, owner, 1);
    await app.build.groupMember(group, 'owner', blocked);
    await app.context().query(sql`update users set state = 'blocked' where id = ${blocked.id}`);
    t.is(await keepLastOwners(app.context()), 1, 'the one above is kept, and is enough for what is below');
    t.is(await roleEnds(group, owner), null);
    t.is(await roleEnds(subgroup, first), day(1));
  },
);

// Contract: core-4.last-owner-ends
test.serial('an Owner whose role ended as the last one, since another one went that day, gets it back', async (t) => {
  const group = await app.build.group();
  await end(group, group.owner, 1);
  const other = await app.build.groupMember(group, 'owner');
  t.is(await keepLastOwners(app.context()), 0);
  app.clock.advance(DAY);
  await app.context().query(sql`update users set state = 'blocked' where id = ${other.id}`);
  t.is(await keepLastOwners(app.context()), 1);
  t.is(await roleEnds(group, group.owner), null);
});
