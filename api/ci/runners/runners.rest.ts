import {
  assignProjectRunner,
  listGroupRunners,
  listProjectRunners,
  unassignProjectRunner,
} from '../../../shared/ci/runners/container-runners.operations.js';
import {
  deleteOwnManager,
  deleteOwnRunner,
  discoverRouter,
  registerRunner,
  resetOwnRunnerToken,
  verifyRunner,
} from '../../../shared/ci/runners/own-runner.operations.js';
import { jobOfRunner } from '../../../shared/ci/jobs/job.serializer.js';
import { listRunnerJobs } from '../../../shared/ci/jobs/runner-jobs.operations.js';
import {
  resetContainerRegistrationToken,
  resetInstanceRegistrationToken,
  runnersTokenSerializer,
} from '../../../shared/ci/runners/registration-tokens.operations.js';
import { runnerDetails } from '../../../shared/ci/runners/runner-details.js';
import {
  createUserRunner,
  deleteRunner,
  getRunner,
  listAllRunners,
  listRunnerManagers,
  listRunners,
  resetRunnerAuthenticationToken,
  updateRunner,
} from '../../../shared/ci/runners/runner.operations.js';
import {
  issuedToken,
  resetToken,
  runnerManagerSummary,
  runnerSummary,
} from '../../../shared/ci/runners/runner.serializer.js';
import { aliases, del, get, post, put, routes } from '../../core/routes.js';

/** The header that holds a runner's token where no parameter does. */
const headerParams = { token: 'runner-token' };

const registrationToken = { present: runnersTokenSerializer, status: 201 } as const;

export const runnerRoutes = [
  ...routes('/user/runners', [post('/', createUserRunner, { present: issuedToken, status: 201 })]),
  ...routes('/runners', [
    get('/', listRunners, { present: runnerSummary, paginate: 'offset' }),
    get('/all', listAllRunners, { present: runnerSummary, paginate: 'offset' }),
    get('/:id', getRunner, { present: runnerDetails }),
    put('/:id', updateRunner, { present: runnerDetails }),
    del('/:id', deleteRunner, { status: 204 }),
    get('/:id/jobs', listRunnerJobs, { present: jobOfRunner, paginate: 'offset' }),
    get('/:id/managers', listRunnerManagers, { present: runnerManagerSummary, paginate: 'offset' }),
    post('/:id/reset_authentication_token', resetRunnerAuthenticationToken, { present: resetToken, status: 201 }),
    post('/reset_registration_token', resetInstanceRegistrationToken, registrationToken),
    // Of programs, with a registration token or the runner's own.
    post('/', registerRunner, { present: issuedToken, status: 201, headerParams }),
    del('/', deleteOwnRunner, { status: 204, headerParams }),
    del('/managers', deleteOwnManager, { status: 204, headerParams }),
    post('/verify', verifyRunner, { present: issuedToken, headerParams }),
    post('/reset_authentication_token', resetOwnRunnerToken, { present: resetToken, status: 201, headerParams }),
  ]),
  // Not described: what programs expect to be refused.
  ...aliases(routes('/runners', [get('/router/discovery', discoverRouter, { headerParams })])),
  ...routes('/projects/:id/runners', [
    get('/', listProjectRunners, { present: runnerSummary, paginate: 'offset' }),
    post('/', assignProjectRunner, { present: runnerSummary, status: 201 }),
    del('/:runner_id', unassignProjectRunner, { status: 204 }),
    post('/reset_registration_token', resetContainerRegistrationToken.project, registrationToken),
  ]),
  ...routes('/groups/:id/runners', [
    get('/', listGroupRunners, { present: runnerSummary, paginate: 'offset' }),
    post('/reset_registration_token', resetContainerRegistrationToken.group, registrationToken),
  ]),
];
