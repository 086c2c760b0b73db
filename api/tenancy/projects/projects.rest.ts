import { getProject } from '../../../shared/tenancy/project-details/project.operations.js';
import { downloadContainerAvatar } from '../../../shared/tenancy/containers/container.operations.js';
import {
  anonymousProject,
  projectWithPermissions,
  basicProject,
  listedProject,
  listedProjectWithPermissions,
  fullProject,
} from '../../../shared/tenancy/project-details/project.serializer.js';
import { getProjectLanguages } from '../../../shared/tenancy/projects/project-languages.js';
import type { Context } from '../../../shared/core/context/context.js';
import { sendPicture } from '../../core/respond.js';
import { get, routes, post } from '../../core/routes.js';
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
import { listProjectUsers } from '../../../shared/tenancy/members/project-users.operations.js';
import { listProjectGroups } from '../../../shared/tenancy/group-details/project-groups.operations.js';
import { projectGroupSerializer } from '../../../shared/tenancy/group-details/group.serializer.js';
import { userSummary } from '../../../shared/tenancy/users/user.serializer.js';
import {
  listStarrers,
  starProject,
  unstarProject,
  starSerializer,
} from '../../../shared/tenancy/project-details/project-star.operations.js';

/** Anonymous callers get the basic record with the fork source (projects.md section 4). */
const byCaller = (ctx: Context) => (ctx.caller.anonymous ? anonymousProject : projectWithPermissions);

export default routes('/projects', [
  get('/:id', getProject, { present: byCaller }),
  get('/:id/avatar', downloadContainerAvatar.project, { respond: sendPicture }),
  get('/:id/languages', getProjectLanguages, {
    schema: { type: 'object', additionalProperties: { type: 'number' } },
  }),
]);

/** Anonymous callers, and callers that request it, get the basic record (projects.md section 4). */
const basicOr = (full: typeof listedProject) => (ctx: Context, list?: { simple: boolean }) =>
  ctx.caller.anonymous || list?.simple ? basicProject : full;
const presentListed = basicOr(listedProjectWithPermissions);

const offset = { present: presentListed, paginate: 'offset' } as const;
/** Lists of groups leave the caller's roles out. */
const ofGroup = { present: basicOr(listedProject), paginate: 'offset' } as const;

/** Every list of projects. */
export const projectListRoutes = [
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

/** The users and groups of a project. */
export const projectPeopleRoutes = routes('/projects/:id', [
  get('/users', listProjectUsers, { present: userSummary, paginate: 'offset' }),
  get('/groups', listProjectGroups, { present: projectGroupSerializer, paginate: 'offset' }),
]);

export const projectStarRoutes = routes('/projects/:id', [
  post('/star', starProject, { present: fullProject, status: 201 }),
  post('/unstar', unstarProject, { present: fullProject, status: 201 }),
  get('/starrers', listStarrers, { present: starSerializer, paginate: 'offset' }),
]);
