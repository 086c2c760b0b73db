import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { get } from '../../../api/core/routes.js';
import type { RestRoute } from '../../../api/core/routes.js';
import { examplesFile, missingPathExamples, unboundExamples } from '../examples.js';

const [{ operation }] = allRoutes as [RestRoute];
const getRoute = (area: string, path: string): RestRoute => ({ ...get(path, operation), area });

test('a path parameter without an example is told with the file to write it in', (t) => {
  const path = '/projects/:id/rockets/:rocket_id/stages/:stage_id';
  t.deepEqual(missingPathExamples([getRoute('pipelineSchedules', path)]), [
    'test/ci/pipeline-schedules/pipeline-schedules.examples.ts has no record for /projects/:id/rockets/:rocket_id',
    `test/ci/pipeline-schedules/pipeline-schedules.examples.ts has no record for ${path}`,
  ]);
});

test('the file of examples is in the folder of the area', (t) => {
  t.is(examplesFile(getRoute('deployKeys', '/deploy_keys')), 'test/repositories/deploy-keys/deploy-keys.examples.ts');
  t.is(examplesFile(getRoute('newRockets', '/rockets')), 'test/<domain>/new-rockets/new-rockets.examples.ts');
});

test('an example of what is no longer bound is told', (t) => {
  const left = unboundExamples(allRoutes.filter(({ path }) => !path.startsWith('/topics')));
  t.deepEqual(left.toSorted(), [
    '/topics/:id',
    'DELETE /topics/:id',
    'POST /topics',
    'POST /topics/merge',
    'PUT /topics/:id',
  ]);
});
