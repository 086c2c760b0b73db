import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import type { Answer, Client } from '../../core/client.js';

/** `npm run test:faults` takes its time; `npm test` has a short version of the same. */
const LONG = process.env.CAPSTAN_FAULTS === 'long';
const SECONDS = 60;
/** Number of actions per concurrent worker, unless limited by time. */
const DEEDS = 25;
const AT_ONCE = 16;
const ISSUES = 8;

const app = useApp(test, [], { limitsOn: false });

/** A generator of numbers below something that gives the same ones each time. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface RaceSetup {
  client: Client;
  group: number;
  projects: readonly number[];
  members: readonly BuiltUser[];
  milestones: readonly number[];
  /** The highest issue number so far: the workers act on the most recent issues. */
  newest: { iid: number };
}

const LABELS = ['a', 'b', 'c', 'scoped::1', 'scoped::2', 'new'];

/** A random action on issues that other workers change concurrently. */
function deed({ client, group, projects, members, milestones, newest }: RaceSetup, pick: (below: number) => number) {
  const one = <T>(all: readonly T[]): T => all[pick(all.length)] as T;
  const project = one(projects);
  const number = () => Math.max(1, newest.iid - pick(ISSUES));
  const iid = number();
  const issue = `/projects/${project}/issues/${iid}`;
  const label = one(LABELS);
  const deeds: (() => Promise<Answer>)[] = [
    () => client.post(`/projects/${project}/issues`, { title: 'new', labels: `${label},${one(LABELS)}` }),
    () => client.put(issue, { state_event: one(['close', 'reopen']), add_labels: label }),
    () => client.put(issue, { confidential: pick(2) === 0, remove_labels: label, assignee_ids: [one(members).id] }),
    () => client.put(issue, { labels: `${label},${one(LABELS)}`, milestone_id: one(milestones), weight: pick(9) }),
    () => client.put(issue, { description: `See #${number()} and @${one(members).username}` }),
    () => client.put(`${issue}/reorder`, { move_after_id: pick(2 * ISSUES), move_before_id: pick(2 * ISSUES) }),
    () =>
      client.post(`${issue}/links`, {
        target_project_id: one(projects),
        target_issue_iid: number(),
        link_type: one(['relates_to', 'blocks', 'is_blocked_by']),
      }),
    () => client.delete(`${issue}/links/${1 + pick(200)}`),
    () => client.post(`${issue}/move`, { to_project_id: one(projects) }),
    () => client.post(`${issue}/clone`, { to_project_id: one(projects) }),
    () => client.post(`${issue}/award_emoji`, { name: one(['thumbsup', 'thumbsdown', 'tada']) }),
    () => client.post(`${issue}/add_spent_time`, { duration: '1h' }),
    () => client.post(`${issue}/reset_spent_time`),
    () => client.post(`${issue}/${one(['subscribe', 'unsubscribe'])}`),
    () => (pick(4) === 0 ? client.delete(issue) : client.get(issue)),
    () => client.post(`/projects/${project}/labels`, { name: label, color: 'red', priority: pick(9) }),
    () => client.put(`/projects/${project}/labels/${encodeURIComponent(label)}/promote`),
    () => client.delete(`/${one([`projects/${project}`, `groups/${group}`])}/labels/${encodeURIComponent(label)}`),
  ];
  return one(deeds)();
}

/** Derived values stored with issues that differ from a recomputation: none if everything is correct. */
const differences = async (): Promise<unknown[]> =>
  app.context().query(sql`
    select 'open issues' as "what", p.id as "id" from projects p
      left join lateral (select sum(k.opened) as opened, sum(k.opened_confidential) as opened_confidential
                           from project_issue_counts k where k.project_id = p.id) c on true
      left join lateral (select count(*) as opened, count(*) filter (where i.confidential) as hidden from issues i
                          where i.project_id = p.id and i.state = 'opened') n on true
     where (coalesce(c.opened, 0), coalesce(c.opened_confidential, 0)) <> (n.opened, n.hidden)
    union all
    select 'state at labels', i.id from issues i join issue_labels x on x.issue_id = i.id
     where (x.closed, x.confidential, x.project_id) <> (i.state = 'closed', i.confidential, i.project_id)
    union all
    select 'upvotes', i.id from issues i
     where i.upvotes <> (select count(*) from issue_award_emojis e where e.issue_id = i.id and e.name = 'thumbsup')
        or i.downvotes <> (select count(*) from issue_award_emojis e where e.issue_id = i.id and e.name = 'thumbsdown')
    union all
    select 'time spent', i.id from issues i
     where i.total_time_spent <> (select coalesce(sum(l.time_spent), 0) from issue_timelogs l where l.issue_id = i.id)
    union all
    select 'iid given twice, or beyond the counter', i.id from issues i
     where i.iid > (select c.last_value from project_counters c where c.project_id = i.project_id and c.kind = 'issue')
        or exists (select 1 from issues o where o.project_id = i.project_id and o.iid = i.iid and o.id <> i.id)
    union all
    select 'two labels of a scope', i.id from issues i
     where 2 <= (select count(*) from issue_labels x join labels l on l.id = x.label_id
                  where x.issue_id = i.id and l.title like 'scoped::%')
    union all
    select 'two links of a pair', min(l.id) from issue_links l
     group by least(l.source_id, l.target_id), greatest(l.source_id, l.target_id) having count(*) > 1`);

async function crowdedProject(): Promise<RaceSetup> {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const projects = [await app.build.projectIn(group), await app.build.projectIn(group)];
  const client = app.as(owner);
  const members = [
    owner,
    await app.build.groupMember(group, 'developer'),
    await app.build.groupMember(group, 'reporter'),
  ];
  const milestones = [0];
  for (const { id } of projects) {
    milestones.push((await client.post(`/projects/${id}/milestones`, { title: 'Release' })).body.id);
    for (let count = 0; count < ISSUES; count += 1) await client.post(`/projects/${id}/issues`, { title: 'first' });
  }
  return {
    client,
    group: group.id,
    projects: projects.map(({ id }) => id),
    members,
    milestones,
    newest: { iid: ISSUES },
  };
}

// Contract: core-6.at-once
test('everybody changes, links, labels, moves and deletes the same issues at once: no answer is 5xx, and all counts are those of a recount', async (t) => {
  t.timeout((SECONDS + 120) * 1000);
  const setup = await crowdedProject();
  const clients = setup.members.map((member) => app.as(member));
  const until = performance.now() + SECONDS * 1000;
  const answers = new Map<string, number>();
  const broken: string[] = [];
  const lines = Array.from({ length: AT_ONCE }, async (_one, index) => {
    const pick = chance(index + 1);
    const client = clients[index % clients.length] as Client;
    const goesOn = (done: number) => (LONG ? performance.now() < until : done < DEEDS);
    for (let done = 0; goesOn(done) && broken.length === 0; done += 1) {
      const { status, text, body } = await deed({ ...setup, client }, pick);
      if (status === 201 && typeof body?.iid === 'number') setup.newest.iid = Math.max(setup.newest.iid, body.iid);
      const outcome = text.includes('Resource lock') ? 'deadlock' : String(status);
      answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
      if (status >= 500) broken.push(`${status} ${text}`);
      if (status === 429) await pause(10);
    }
  });
  await Promise.all(lines);
  t.deepEqual(broken, []);
  t.deepEqual(await differences(), []);
  t.true((answers.get('200') ?? 0) > 20 && (answers.get('201') ?? 0) > 20, JSON.stringify([...answers]));
  t.log(JSON.stringify([...answers].sort()));
  await app.work();
  t.deepEqual(await differences(), []);
});
