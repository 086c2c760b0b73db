import { rm } from 'node:fs/promises';
import test from 'ava';
import { scratchLocation, throwaway } from '#runner/scratch-postgres.mjs';
import { startPostgres, stopPostgres } from '../../../shared/launch/postgres.js';
import { eventually, startService } from '../processes.js';

// A long test: PostgreSQL is started again and again.
// A process of its own: starts a PostgreSQL, an API and a worker.

const RESTARTS = 6;
const AT_ONCE = 12;

interface Line {
  level: number;
  role: string;
  msg: string;
  outage?: string;
  err?: { message: string };
}

const WARN = 40;

// Contract: outages-1.restarts
test('PostgreSQL is started again six times under load: API and worker go on, and say so once each', async (t) => {
  t.timeout(300_000);
  const { directory, location } = await scratchLocation(`capstan-restarts-${process.pid}`);
  const options = { privateDir: directory, settings: throwaway() };
  let server = await startPostgres(location, options);
  t.teardown(async () => {
    await stopPostgres(server);
    await rm(directory, { recursive: true, force: true });
  });
  const lines: Line[] = [];
  const service = await startService(t, {
    env: { DATABASE_URL: server.url, LOG_LEVEL: 'info' },
    onLine: (line) => lines.push(JSON.parse(line) as Line),
  });
  const { root } = service;
  const project = (await root.post('/projects', { name: 'Sturdy', initialize_with_readme: true })).body;
  const issues = `/projects/${project.id}/issues`;
  const statuses = new Map<number, number>();
  let created = 0;
  let open = true;
  const press = async (at: number) => {
    for (let count = 0; open; count += 1) {
      const title = `${at} ${count}`;
      const { status } =
        at % 3 === 0
          ? await root.get(issues)
          : at % 3 === 1
            ? await root.post(issues, { title })
            : await root.graphql('{ currentUser { id } }');
      if (status === 201) created += 1;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  t.teardown(() => {
    open = false;
  });
  const pressing = Array.from({ length: AT_ONCE }, (_, at) => press(at));
  for (let time = 0; time < RESTARTS; time += 1) {
    await eventually(async () => (await root.post(issues, { title: `before ${time}` })).status === 201 && ++created);
    await stopPostgres(server);
    await eventually(async () => (await root.raw('GET', '/-/readiness')).status === 503);
    server = await startPostgres(location, { ...options, port: server.port });
    await eventually(async () => (await root.raw('GET', '/-/readiness')).status === 200);
    // Until the outage is over, so that the next one is another.
    await eventually(() => {
      const over = lines.filter(({ role, msg }) => role === 'api' && msg === 'the database answers again');
      return Promise.resolve(over.length > time);
    });
  }
  open = false;
  await Promise.all(pressing);
  const odd = [...statuses.keys()].filter((status) => ![200, 201, 503].includes(status));
  t.deepEqual(odd, [], JSON.stringify([...statuses]));
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => root.get('/user')));
  for (const { status } of answers) t.is(status, 200);
  const total = Number((await root.get(issues)).headers.get('x-total'));
  t.true(total >= created, `${total} of ${created}: what was answered as made is there`);
  await eventually(async () => (await root.raw('GET', '/-/readiness?all=1')).status === 200);
  // Workers finish their pending jobs.
  const response = await root.post(`/projects/${project.id}/export`);
  t.is(response.status, 202);
  await eventually(async () => (await root.get(`/projects/${project.id}/export`)).body.export_status === 'finished');
  for (const role of ['api', 'worker']) {
    const own = lines.filter((line) => line.role === role);
    const began = own.filter(({ level, outage }) => outage === 'database' && level >= WARN);
    t.true(began.length <= RESTARTS && began.length > 0, `${role} told of ${began.length}`);
    const others = own.filter(({ level, outage }) => level >= WARN && outage === undefined);
    t.deepEqual(
      others.map(({ msg, err }) => (err ? `${msg}: ${err.message}` : msg)),
      [],
      role,
    );
  }
});
