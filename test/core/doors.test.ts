import test from 'ava';
import { useApp } from './app.js';
import { outboundAddresses } from './doors/addresses.js';
import { archivedProjects } from './doors/archived.js';
import { accountsThatWork, privateProjects } from './doors/callers.js';
import { levelsAboveOnesOwn } from './doors/levels.js';
import { pipelinesOnRefs, variablesOfPipelines } from './doors/pipelines.js';
import { namesOfBranches, newProtectedBranches, pushesToBranches } from './doors/repositories.js';
import { ADDRESSES_LET_IN } from './doors/remotes.js';
import { holds } from './doors/rule.js';
import { valuesOfSchedules } from './doors/secrets.js';

// A long test: it goes through every door and role.

const app = useApp(test);

test.before('let the service mirror, from servers of this test alone', () =>
  app.set({ outbound_local_requests_whitelist: Object.values(ADDRESSES_LET_IN), plan: 'premium' }),
);

// Each rule has a file in `doors/`: a new case is tested at every door, and a new door with every case.

// Contract: rest-3.doors
test('at every door the same people have pipelines made on a ref', (t) => holds(t, app, pipelinesOnRefs));

// Contract: rest-3.doors
test('at every door the same people give variables to pipelines', (t) => holds(t, app, variablesOfPipelines));

// Contract: rest-3.doors
test('at every door the same people are told the variables of a schedule', (t) => holds(t, app, valuesOfSchedules));

// Contract: rest-3.doors
test('at every door the same people change what is on a branch', (t) => holds(t, app, pushesToBranches));

// Contract: rest-3.doors
test('at every door the same people make a branch of a protected name', (t) => holds(t, app, newProtectedBranches));

// Contract: rest-3.doors
test('at every door branches are called the same', (t) => holds(t, app, namesOfBranches));

// Contract: rest-3.doors
test('at every door an archived project stays as it is', (t) => holds(t, app, archivedProjects));

// Contract: rest-3.doors
test('at every door nobody gives, takes or gets a level above their own', (t) => holds(t, app, levelsAboveOnesOwn));

// Contract: rest-3.doors
test('at every door the service is sent to the same addresses', (t) => holds(t, app, outboundAddresses));

// Contract: rest-3.doors
test('at every door an account that does not work opens nothing', (t) => holds(t, app, accountsThatWork));

// Contract: rest-3.doors
test('at every door a private project is there for the same people', (t) => holds(t, app, privateProjects));
