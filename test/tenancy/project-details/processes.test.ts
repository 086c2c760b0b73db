import { once } from 'node:events';
import test from 'ava';
import { Client } from '../../core/client.js';
import { eventually, startService } from '../../core/processes.js';
import { getCookie, postJson } from '../../core/signed-in.js';
import { openStream } from './stream.js';

// Contract: web.live, web.live.limits
test('a page hears what a worker process did, and a process that stops does not wait for its pages', async (t) => {
  const service = await startService(t);
  const { root, url } = service;
  const { body: project } = await root.post('/projects', { name: 'Rocket', initialize_with_readme: true });
  const at = `/projects/${project.id}/pipeline_schedules`;
  const { body: schedule } = await root.post(at, { description: 'Nightly', ref: 'main', cron: '0 0 1 1 *' });
  const login = { login: 'root', password: 'correct horse battery staple' };
  const cookie = getCookie(await postJson(new Client(url, {}), '/users/sign_in', login)) ?? '';
  const streams = await Promise.all(
    ['', 'membership=true', `project=${project.path_with_namespace}`].map((query) => openStream(url, cookie, query)),
  );
  for (const stream of streams) await stream.first();
  const ofProject = streams[2]!;
  const before = ofProject.messages.length;
  t.is((await root.post(`${at}/${schedule.id}/play`)).status, 201);
  await eventually(() =>
    Promise.resolve(ofProject.messages.slice(before).some(({ kinds }) => kinds?.includes('pipelines'))),
  );
  for (const stream of streams) await stream.hears('pipeline_schedules');
  const [api] = service.children;
  const began = performance.now();
  api?.kill('SIGTERM');
  const [code] = await once(api!, 'exit');
  t.is(code, 0);
  t.true(performance.now() - began < 10_000);
  await eventually(() => Promise.resolve(streams.every(({ state }) => state.over)));
});
