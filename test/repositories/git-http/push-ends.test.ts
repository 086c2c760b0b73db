import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { gitStarts } from '../../../shared/git/index.js';
import type { GitStart } from '../../../shared/git/index.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { rawSocket } from '../../core/raw-http.js';
import { plainGit } from '../../git/git-fixture.js';
import { basic } from './git-client.js';
import { quarantines, refsIn, workTree } from './push-client.js';
import { getCommands, getCommit, entry, getId, getPack, PUSH_TYPE, rawPush, getTree } from './raw-push.js';
import type { Command } from './raw-push.js';

const app = useApp(test, [], { traffic: { minimumRate: { bytes: 64 * 1024, milliseconds: 500 } } });
const MIB = 1024 * 1024;
const REF = 'refs/heads/pushed';

type Project = Awaited<ReturnType<typeof app.build.project>>;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Commands of git, as they start. */
function started(t: ExecutionContext): string[] {
  const starts: string[] = [];
  const hear = (start: unknown) => starts.push((start as GitStart).command);
  gitStarts.subscribe(hear);
  t.teardown(() => gitStarts.unsubscribe(hear));
  return starts;
}

/** Nothing of a push is left, in the process and on disk. */
async function settled(t: ExecutionContext, project: Project, before: Record<string, string>): Promise<void> {
  const { git } = app.services;
  while (git.pool('transfer').load.running > 0 || git.pool('refs').load.running > 0) await turn();
  while (quarantines(app, project).length > 0) await turn();
  while (app.traffic.incoming.held > 0) await turn();
  t.deepEqual(await refsIn(app, project), before);
}

/** A push with a file of this size, as bytes. */
function getPush(size: number) {
  const content = randomBytes(size);
  const tree = getTree(['100644', 'large', getId('blob', content)]);
  const commit = getCommit(getId('tree', tree));
  const pack = getPack([entry('commit', commit), entry('tree', tree), entry('blob', content)]);
  const sha = getId('commit', commit);
  return { sha, body: Buffer.concat([getCommands([[REF, sha]]), pack]) };
}

function open(project: Project, who = project.owner): ClientRequest {
  const sent = request(`${app.url}/${project.full_path}.git/git-receive-pack`, {
    method: 'POST',
    headers: { ...PUSH_TYPE, ...basic('x', who.token) },
  });
  sent.on('error', () => undefined);
  return sent;
}

// Contract: git-http-7.push-gone, git-http-bad.push-disconnects
test.serial('a client that leaves in any phase leaves nothing behind', async (t) => {
  const project = await app.build.project();
  const before = await refsIn(app, project);
  const { body } = getPush(2 * MIB);
  const starts = started(t);
  for (const at of [1, 50, 200, 300, 70_000, MIB, body.length - 20, body.length - 1]) {
    const sent = open(project);
    await new Promise((resolve) => sent.write(body.subarray(0, at), resolve));
    if (at > 70_000) while (!starts.includes('index-pack')) await turn();
    sent.destroy();
    await settled(t, project, before);
    starts.length = 0;
  }
  // Once all is there it may land, or not: never by half.
  const sent = open(project);
  sent.end(body);
  while (!starts.includes('rev-list')) await turn();
  sent.destroy();
  const { git } = app.services;
  while (git.pool('transfer').load.running > 0 || quarantines(app, project).length > 0) await turn();
  const after = await refsIn(app, project);
  t.true([1, 2].includes(Object.keys(after).length));
});

// Contract: git-http-2.push-moment
test.serial('a credential that ends, and a role that goes, while objects come let no ref move', async (t) => {
  const project = await app.build.project();
  const before = await refsIn(app, project);
  const { body } = getPush(2 * MIB);
  const starts = started(t);
  const pushMeanwhile = async (who: BuiltUser, change: () => Promise<unknown>) => {
    starts.length = 0;
    const sent = open(project, who);
    const answered = once(sent, 'response');
    sent.write(body.subarray(0, MIB));
    while (!starts.includes('index-pack')) await turn();
    await change();
    sent.end(body.subarray(MIB));
    const [response] = (await answered) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    await settled(t, project, before);
    return text;
  };
  const token = await app.build.token(project.owner);
  t.regex(
    await pushMeanwhile(token, () => app.as(token).delete('/personal_access_tokens/self')),
    /the token was revoked/,
  );
  const member = await app.build.member(project, 'developer');
  t.regex(
    await pushMeanwhile(member, () => app.build.member(project, 'reporter', member)),
    /You are not allowed to push code/,
  );
  const archived = await pushMeanwhile(project.owner, () =>
    app.as(project.owner).post(`/projects/${project.id}/archive`),
  );
  t.regex(archived, /ng refs\/heads\/pushed The project is archived/);
});

// Contract: git-http-bad.push-slow
test.serial('clients that send a byte now and then are told so, and start nothing', async (t) => {
  const project = await app.build.project();
  const starts = started(t);
  const head = Object.entries({ ...PUSH_TYPE, ...basic('x', project.owner.token) }).map((pair) => pair.join(': '));
  const stopped = `POST /${project.full_path}.git/git-receive-pack HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n00000\r\n`;
  const answers = await Promise.all(Array.from({ length: 30 }, () => rawSocket(app.url, stopped)));
  for (const answer of answers) t.regex(answer, /^HTTP\/1\.1 408 /);
  t.deepEqual(starts, []);
  t.is(app.traffic.incoming.held, 0);
});

// Contract: git-http-7.push-constant
test.serial('a large push passes through in constant memory, as fast as git takes it', async (t) => {
  const project = await app.build.project();
  const { sha, body } = getPush(48 * MIB);
  const base = process.memoryUsage().arrayBuffers;
  let most = 0;
  const sent = open(project);
  const answer = once(sent, 'response');
  for (let at = 0; at < body.length; at += 256 * 1024) {
    const free = sent.write(body.subarray(at, at + 256 * 1024));
    most = Math.max(most, process.memoryUsage().arrayBuffers - base);
    if (!free) await once(sent, 'drain');
  }
  sent.end();
  await answer;
  while ((await refsIn(app, project))[REF] !== sha) await turn();
  t.true(most < 24 * MIB, `${most} bytes are held`);
});

// Contract: git-http-5.one-wins
test.serial('of pushes to one branch at a time one wins, and the others are told', async (t) => {
  const project = await app.build.project();
  const head = (await refsIn(app, project))['refs/heads/main']!;
  const tree = plainGit(getRepositoryPath(app.context(), project), ['rev-parse', `${head}^{tree}`]).trim();
  const commits = Array.from({ length: 8 }, (_, index) => getCommit(tree, [head], `Commit ${index}\n`));
  const answers = await Promise.all(
    commits.map((commit) =>
      rawPush(app, project, project.owner, [['refs/heads/main', getId('commit', commit), head]], {
        pack: getPack([entry('commit', commit)]),
      }),
    ),
  );
  const outcomes = answers.map(({ refs }) => refs['refs/heads/main']);
  t.is(outcomes.filter((one) => one === 'ok').length, 1, outcomes.join('; '));
  for (const one of outcomes) if (one !== 'ok') t.is(one, 'It has changed meanwhile. Fetch first.');
  const winner = commits[outcomes.indexOf('ok')]!;
  t.is((await refsIn(app, project))['refs/heads/main'], getId('commit', winner));
});

// Contract: git-http-5.one-wins
test.serial('pushes and commits over the API to one branch keep index and repository equal', async (t) => {
  const project = await app.build.project();
  const head = (await refsIn(app, project))['refs/heads/main']!;
  const tree = plainGit(getRepositoryPath(app.context(), project), ['rev-parse', `${head}^{tree}`]).trim();
  const commit = getCommit(tree, [head]);
  const sha = getId('commit', commit);
  const [pushed, ...written] = await Promise.all([
    rawPush(app, project, project.owner, [['refs/heads/main', sha, head]], {
      pack: getPack([entry('commit', commit)]),
    }),
    ...Array.from({ length: 4 }, (_, index) =>
      app.as(project.owner).post(`/projects/${project.id}/repository/files/f${index}.txt`, {
        branch: 'main',
        content: 'x',
        commit_message: 'Add it',
      }),
    ),
  ]);
  const refs = await refsIn(app, project);
  const landed = written.filter(({ status }) => status === 201).length;
  const count = Number(plainGit(getRepositoryPath(app.context(), project), ['rev-list', '--count', 'main']));
  t.is(count, 1 + landed + (pushed.refs['refs/heads/main'] === 'ok' ? 1 : 0));
  t.truthy(refs['refs/heads/main']);
});

// Contract: git-http-5.at-once
test.serial('100 pushes to 100 projects at once all land', async (t) => {
  t.timeout(120_000);
  const owner = await app.build.user();
  const projects = await Promise.all(Array.from({ length: 100 }, () => app.build.project({ owner, empty: true })));
  const { sha, body } = getPush(1000);
  const pack = body.subarray(getCommands([[REF, sha]]).length);
  const began = performance.now();
  const answers = await Promise.all(projects.map((project) => rawPush(app, project, owner, [[REF, sha]], { pack })));
  t.log(`${Math.round(performance.now() - began)} ms`);
  t.deepEqual(
    answers.map(({ text, refs }) => refs[REF] ?? text),
    answers.map(() => 'ok'),
  );
  for (const project of projects.slice(0, 5)) t.deepEqual(await refsIn(app, project), { [REF]: sha });
});

// Contract: git-http-5.many-refs
test.serial('10,000 refs are pushed at once', async (t) => {
  t.timeout(120_000);
  const project = await app.build.project();
  const head = (await refsIn(app, project))['refs/heads/main']!;
  const commands = Array.from({ length: 10_000 }, (_, index): Command => [`refs/heads/many/${index}`, head]);
  const began = performance.now();
  const { refs } = await rawPush(app, project, project.owner, commands);
  t.log(`${Math.round(performance.now() - began)} ms`);
  t.is(Object.values(refs).filter((outcome) => outcome === 'ok').length, 10_000);
  t.is(Object.keys(await refsIn(app, project)).length, 10_001);
  const work = await workTree(t, app, project, { as: project.owner, options: ['--single-branch'] });
  await work.commit('a.txt');
  const pushed = await work.push(['HEAD:refs/heads/many/10001', ':refs/heads/many/1']);
  t.is(pushed.code, 0, pushed.stderr);
});
