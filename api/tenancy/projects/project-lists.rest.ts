import type { Context } from '../../../shared/core/context/context.js';
import {
  listGroupProjects,
  listSharedProjects,
} from '../../../shared/tenancy/project-details/group-project-lists.operations.js';
import {
  listContributedProjects,
  listForks,
  listProjects,
  listProjectsOfUser,
  listStarredProjects,
} from '../../../shared/tenancy/project-details/project-lists.operations.js';
import {
  basicProject,
  listedProject,
  listedProjectWithPermissions,
} from '../../../shared/tenancy/project-details/project.shape.js';
import { get, routes } from '../../core/routes.js';

/** Anonymous callers get the basic record, and so do those who ask for it (projects.md section 4). */
const basicOr = (full: typeof listedProject) => (ctx: Context, list?: { simple: boolean }) =>
  ctx.caller.anonymous || list?.simple ? basicProject : full;
const presentListed = basicOr(listedProjectWithPermissions);

const offset = { present: presentListed, paginate: 'offset' } as const;
/** Lists of groups leave the caller's roles out. */
const ofGroup = { present: basicOr(listedProject), paginate: 'offset' } as const;

/** Every list of projects. */
export default [
  ...routes('/projects', [
    get('/', listProjects, { present: presentListed, paginate: 'keyset' }),
    get('/:id/forks', listForks, offset),
  ]),
  ...routes('/users/:user_id', [
    get('/projects', listProjectsOfUser, offset),
    get('/starred_projects', listStarredProjects, offset),
    get('/contributed_projects', listContributedProjects, offset),
  ]),
  ...routes('/groups/:id/projects', [
    get('/', listGroupProjects, ofGroup),
    get('/shared', listSharedProjects, ofGroup),
  ]),
];
