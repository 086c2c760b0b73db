import { readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { sql } from 'kysely';
import { MoveRepairer } from '../../../shared/repositories/housekeeping/repair-moves.js';
import { movesFolder } from '../../../shared/repositories/repositories/ref-moves.js';
import { commitToBranch } from '../../../shared/repositories/repositories/commit-to-branch.js';
import { changeDefaultBranch } from '../../../shared/repositories/repositories/default-branch.js';
import { getRepositoryPath, writeRefs } from '../../../shared/repositories/repositories/write-refs.js';
import { findProject } from '../../../shared/tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../../shared/tenancy/projects/project.entity.js';
import type { BuiltUser } from '../../core/builders.js';
import { useApp } from '../../core/app.js';
import { eventually } from '../../core/processes.js';
import { plainGit } from '../../git/git-fixture.js';
import { getGit, indexOf, repairMoves } from './index-and-git.js';

const app = useApp(test);

class Lost extends Error {}

/** Names of the notes of moves of a project's refs. */
const notes = (project: { id: number }) => {
  try {
    return readdirSync(movesFolder(app.context())).filter((name) => name.startsWith(`${project.id}.`));
  } catch {
    return [];
  }
};

/**
 * A commit whose transaction is lost after its refs were updated, as with a crashed process or a lost database
 * connection.
 */
async function loseCommit(project: ProjectRecord & { owner: BuiltUser }, branch: string, startSha: string | null) {
  const ctx = app.build.contextOf(project.owner);
  const content = Buffer.from(branch);
  const actions = [{ action: 'create' as const, file_path: `${branch}.txt`, content }];
  const lost = ctx.transaction(async () => {
    await commitToBranch(ctx, project, { branch, message: 'Lost', actions, startSha });
    throw new Lost();
  });
  await lost.catch((error: unknown) => {
    if (!(error instanceof Lost)) throw error;
  });
}

// Contract: outages-1.refs
test.serial(
  'until such a move is looked after, writes are 503 with Retry-After, and no fault of the caller',
  async (t) => {
    const project = await app.build.project();
    const owner = app.as(project.owner);
    await loseCommit(project, 'main', null);
    const path = `/projects/${project.id}/repository/files/later.txt`;
    const file = { branch: 'main', commit_message: 'x', content: 'x' };
    const { status, headers, text } = await owner.post(path, file);
    t.is(status, 503, text);
    t.is(headers.get('retry-after'), '5');
    t.true((await repairMoves(app)).includes(project.id));
    t.is((await owner.post(path, file)).status, 201);
  },
);

// Contract: git-http-5.crash
test.serial(
  'a move of refs whose transaction was lost is in the index after a look, with what follows from it',
  async (t) => {
    const project = await app.build.project();
    const owner = app.as(project.owner);
    const head = (await owner.get(`/projects/${project.id}/repository/branches/main`)).body.commit.id as string;
    await loseCommit(project, 'story', head);
    t.not(await indexOf(app, project), getGit(app, project), 'they are apart');
    t.is(notes(project).length, 1);
    t.true((await repairMoves(app)).includes(project.id));
    t.is(await indexOf(app, project), getGit(app, project));
    t.is((await owner.get(`/projects/${project.id}/repository/branches/story`)).body.commit.message, 'Lost');
    const measured = await app.context().query(sql`
    select 1 from pgboss.job where name = 'projects.measure' and state < 'active'
       and (data ->> 'project_id')::bigint = ${project.id}`);
    t.true(measured.length > 0, 'it is counted anew');
    const admin = app.as(await app.build.admin());
    const events = await admin.get(`/audit_events?entity_type=Project&entity_id=${project.id}`);
    t.true(
      events.body.some(({ event_name }: { event_name: string }) => event_name === 'project_repository_repaired'),
      events.text,
    );
    // A write after it finds what it expects.
    const file = { branch: 'story', commit_message: 'x', content: 'x' };
    t.is((await owner.post(`/projects/${project.id}/repository/files/later.txt`, file)).status, 201);
  },
);

test.serial('a deleted branch and a moved tag are mended as well', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const url = `/projects/${project.id}/repository`;
  await owner.post(`${url}/branches`, { branch: 'old', ref: 'main' });
  await owner.post(`${url}/tags`, { tag_name: 'v1', ref: 'main' });
  const before = (await owner.get(`${url}/tags/v1`)).body.commit.id as string;
  await owner.post(`${url}/files/a.txt`, { branch: 'main', commit_message: 'x', content: 'x' });
  const now = (await owner.get(`${url}/branches/main`)).body.commit.id as string;
  const ctx = app.build.contextOf(project.owner);
  const found = await findProject(ctx, project.id);
  const lost = ctx.transaction(async () => {
    await writeRefs(ctx, found, [
      { fullName: 'refs/heads/old', from: before, to: null },
      { fullName: 'refs/tags/v1', from: before, to: { object_sha: now, target_sha: now } },
    ]);
    throw new Lost();
  });
  await t.throwsAsync(lost, { instanceOf: Lost });
  t.is((await owner.get(`${url}/branches/old`)).status, 200, 'by the index it is there');
  t.true((await repairMoves(app)).includes(project.id));
  t.is(await indexOf(app, project), getGit(app, project));
  t.is((await owner.get(`${url}/branches/old`)).status, 404);
  t.is((await owner.get(`${url}/tags/v1`)).body.commit.id, now);
});

test.serial(
  'the first commit of a project, lost, leaves a project with a repository and a protected default branch',
  async (t) => {
    const project = await app.build.project({ empty: true });
    await loseCommit(project, 'trunk', null);
    const owner = app.as(project.owner);
    t.is((await owner.get(`/projects/${project.id}`)).body.empty_repo, true, 'undone in the database');
    t.true((await repairMoves(app)).includes(project.id));
    t.is(await indexOf(app, project), getGit(app, project));
    const { body } = await owner.get(`/projects/${project.id}`);
    t.like(body, { empty_repo: false, default_branch: 'trunk' });
    t.is((await owner.get(`/projects/${project.id}/protected_branches/trunk`)).status, 200);
    const file = { branch: 'trunk', commit_message: 'x', content: 'x' };
    t.is((await owner.post(`/projects/${project.id}/repository/files/later.txt`, file)).status, 201);
  },
);

test.serial(
  'a change of the default branch that was lost leaves HEAD at the branch that the project tells',
  async (t) => {
    const project = await app.build.project();
    const owner = app.as(project.owner);
    await owner.post(`/projects/${project.id}/repository/branches`, { branch: 'next', ref: 'main' });
    const ctx = app.build.contextOf(project.owner);
    const found = await findProject(ctx, project.id);
    const lost = ctx.transaction(async () => {
      await changeDefaultBranch(ctx, found, 'next');
      throw new Lost();
    });
    await t.throwsAsync(lost, { instanceOf: Lost });
    const head = () => plainGit(getRepositoryPath(ctx, project), ['symbolic-ref', 'HEAD']).trim();
    t.is(head(), 'refs/heads/next');
    await repairMoves(app);
    t.is(head(), 'refs/heads/main');
  },
);

test.serial('no note stays of what was committed, refused by git, or undone before git was asked', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const url = `/projects/${project.id}/repository/branches`;
  t.is((await owner.post(url, { branch: 'story', ref: 'main' })).status, 201);
  // Git has one of this name, which the index does not know of.
  plainGit(getRepositoryPath(app.context(), project), ['update-ref', 'refs/heads/other', 'refs/heads/main']);
  t.is((await owner.post(url, { branch: 'other', ref: 'main' })).status, 400);
  t.is((await owner.post(url, { branch: 'story', ref: 'main' })).status, 400);
  t.true(await eventually(async () => Promise.resolve(notes(project).length === 0)));
});

test.serial('a note is left alone while its writer is at work, and looked at twice before it is gone', async (t) => {
  const project = await app.build.project();
  const folder = movesFolder(app.context());
  const note = path.join(folder, `${project.id}.by-hand`);
  writeFileSync(note, '');
  plainGit(getRepositoryPath(app.context(), project), ['update-ref', 'refs/heads/other', 'refs/heads/main']);
  const repairer = new MoveRepairer(app.services);
  const writer = app.context();
  await writer.transaction(async () => {
    await writer.query(sql`select 1 from projects where id = ${project.id} for no key update`);
    for (let poll = 0; poll < 3; poll += 1) t.deepEqual(await repairer.poll(), []);
  });
  t.deepEqual(notes(project), [`${project.id}.by-hand`]);
  t.deepEqual(await repairer.poll(), [project.id]);
  t.is(await indexOf(app, project), getGit(app, project));
  t.deepEqual(await repairer.poll(), []);
  t.deepEqual(notes(project), [`${project.id}.by-hand.settled`], 'a process of git may still run');
  for (let poll = 0; poll < 3; poll += 1) t.deepEqual(await repairer.poll(), []);
  // It ran indeed, and changed what was equal.
  plainGit(getRepositoryPath(app.context(), project), ['update-ref', 'refs/heads/late', 'refs/heads/main']);
  const early = new Date(Date.now() - 6 * 60_000);
  utimesSync(`${note}.settled`, early, early);
  t.deepEqual(await repairer.poll(), [project.id]);
  t.is(await indexOf(app, project), getGit(app, project));
  t.deepEqual(await repairer.poll(), []);
  t.deepEqual(notes(project), []);
});

test.serial('a repository that is away is not taken for an empty one', async (t) => {
  const project = await app.build.project();
  const before = await indexOf(app, project);
  const location = getRepositoryPath(app.context(), project);
  writeFileSync(path.join(movesFolder(app.context()), `${project.id}.by-hand`), '');
  renameSync(location, `${location}.away`);
  t.deepEqual(await repairMoves(app), []);
  t.is(await indexOf(app, project), before);
  renameSync(`${location}.away`, location);
});
