import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { sql } from 'kysely';
import { useApp } from '../app.js';
import { Unfinished } from '../rest/unfinished.js';
import { getContainer, exampleRequest, nameOf, getPath } from '../walk.js';
import { makePeople, Sandbox } from '../sandbox.js';

const app = useApp(test);
const uploads = allRoutes.filter(({ operation }) => operation.upload);

test('every upload that is a stream is judged by caller, scope, container and right before a byte of it has come', async (t) => {
  const people = await makePeople(app);
  const sandbox = await Sandbox.make(app, people);
  const reader = await app.build.token(people.owner, { scopes: ['read_api'] });
  t.true(uploads.length > 0);
  const problems: string[] = [];
  for (const route of uploads) {
    const request = await exampleRequest(sandbox, route);
    const at = `/api/v4${getPath(request)}`;
    const absent = `/api/v4${getPath({ ...request, path: { ...request.path, id: '99999999' } })}`;
    const inContainer = getContainer(route) !== null;
    const requests: [string, string, Record<string, string>, number[]][] = [
      ['nobody', at, {}, [401]],
      ['unknown', at, { 'PRIVATE-TOKEN': 'pat-of-nobody-at-all-0123456789' }, [401]],
      ['reader', at, { 'PRIVATE-TOKEN': reader.token }, [403]],
      ...(inContainer
        ? ([
            ['stranger', at, { 'PRIVATE-TOKEN': people.stranger.token }, [404]],
            ['guest', at, { 'PRIVATE-TOKEN': people.guest.token }, [403]],
            ['absent', absent, { 'PRIVATE-TOKEN': people.owner.token }, [404]],
          ] as [string, string, Record<string, string>, number[]][])
        : []),
    ];
    for (const [who, path, headers, expected] of requests)
      for (const type of ['multipart/form-data; boundary=X', 'application/octet-stream']) {
        const sent = { ...headers, 'Content-Type': type, 'Content-Length': '100000' };
        const { status } = await new Unfinished(app, route.method, path, sent).readAnswer();
        if (!expected.includes(status)) problems.push(`${nameOf(route)} as ${who}, ${type}: ${status}`);
      }
  }
  t.deepEqual(problems, []);
  const kinds = uploads.map(({ operation }) => operation.upload?.kind ?? '');
  const rows = await app.context().query(sql`select 1 from stored_objects o where o.kind = any(${kinds}::text[])`);
  // The examples' own records.
  t.true(rows.length <= uploads.length * 2);
});
