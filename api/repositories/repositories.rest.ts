import { branchSerializer, tagSerializer } from '../../shared/repositories/branches-and-tags/branch.serializer.js';
import {
  createBranch,
  createTag,
  getBranch,
  getTag,
} from '../../shared/repositories/branches-and-tags/ref.operations.js';
import { protectBranch, unprotectBranch } from '../../shared/repositories/branches-and-tags/protect-branch.js';
import { out, serializer } from '../../shared/core/operations/serializer.js';
import { listBranches, listTags } from '../../shared/repositories/branches-and-tags/list-refs.js';
import {
  deleteBranch,
  deleteMergedBranches,
  deleteTag,
} from '../../shared/repositories/branches-and-tags/delete-refs.js';
import { del, get, post, put, routes } from '../core/routes.js';
import { forkProject } from '../../shared/repositories/project-forks/fork-project.js';
import { linkFork, unlinkFork } from '../../shared/repositories/project-forks/fork-relation.operations.js';
import { fullProject } from '../../shared/tenancy/project-details/project.serializer.js';
import {
  getProjectMirror,
  updateProjectMirror,
} from '../../shared/repositories/project-mirrors/project-mirror.operations.js';
import { configureProjectMirror } from '../../shared/repositories/project-lifecycle/configure-mirror.js';
import {
  projectMirror,
  projectMirrorSettings,
} from '../../shared/repositories/project-mirrors/project-mirror.serializer.js';
import {
  createProjectDeployKey,
  enableProjectDeployKey,
} from '../../shared/repositories/deploy-keys/add-deploy-key.js';
import {
  deleteProjectDeployKey,
  getProjectDeployKey,
  listDeployKeys,
  listProjectDeployKeys,
  updateProjectDeployKey,
} from '../../shared/repositories/deploy-keys/deploy-key.operations.js';
import {
  deployKeySerializer,
  instanceDeployKeySerializer,
} from '../../shared/repositories/deploy-keys/deploy-key.serializer.js';
import {
  createDeployKey,
  deleteDeployKey,
} from '../../shared/repositories/deploy-keys/public-deploy-key.operations.js';
import { avatarUploadLimit } from '../../shared/instance/avatars/avatars.js';
import { createProject, createProjectForUser } from '../../shared/repositories/project-lifecycle/create-project.js';
import { transferProjectToGroup } from '../../shared/repositories/project-lifecycle/transfer-project-to-group.js';
import { updateProject } from '../../shared/repositories/project-lifecycle/update-project.js';
import { groupDetails, projectGroupSerializer } from '../../shared/tenancy/group-details/group.serializer.js';
import { archiveProject, unarchiveProject } from '../../shared/repositories/project-lifecycle/archive-project.js';
import { deleteProject } from '../../shared/repositories/project-lifecycle/delete-project.js';
import { restoreProject } from '../../shared/repositories/project-lifecycle/restore-project.js';
import {
  listTransferLocations,
  transferProject,
} from '../../shared/repositories/project-lifecycle/transfer-project.js';

const wholeTag = tagSerializer.showing(['whole']);
const accepted = serializer<unknown>('Accepted', { message: out.text(() => '202 Accepted') });

export const repositoryRoutes = routes('/projects/:id/repository', [
  get('/branches', listBranches, { present: branchSerializer, paginate: 'keyset' }),
  post('/branches', createBranch, { present: branchSerializer, status: 201 }),
  get('/branches/:branch', getBranch, { present: branchSerializer, headStatus: 204 }),
  del('/branches/:branch', deleteBranch, { status: 204 }),
  put('/branches/:branch/protect', protectBranch, { present: branchSerializer }),
  put('/branches/:branch/unprotect', unprotectBranch, { present: branchSerializer }),
  del('/merged_branches', deleteMergedBranches, { present: accepted, status: 202 }),
  get('/tags', listTags, { present: tagSerializer, paginate: 'keyset' }),
  post('/tags', createTag, { present: wholeTag, status: 201 }),
  get('/tags/:tag_name', getTag, { present: wholeTag }),
  del('/tags/:tag_name', deleteTag, { status: 204 }),
]);

export const projectForkRoutes = routes('/projects/:id/fork', [
  post('/', forkProject, { present: fullProject, status: 201 }),
  del('/', unlinkFork, { status: 204 }),
  post('/:forked_from_id', linkFork, { present: fullProject, status: 201 }),
]);

export const projectMirrorRoutes = routes('/projects/:id/mirror/pull', [
  get('/', getProjectMirror, { present: projectMirror }),
  put('/', configureProjectMirror, { present: projectMirrorSettings }),
  post('/', updateProjectMirror, { present: projectMirror, status: 200 }),
]);

export const deployKeyRoutes = [
  get('/deploy_keys', listDeployKeys, { present: instanceDeployKeySerializer, paginate: 'offset' }),
  post('/deploy_keys', createDeployKey, { present: instanceDeployKeySerializer, status: 201 }),
  del('/deploy_keys/:key_id', deleteDeployKey, { status: 204 }),
  ...routes('/projects/:id/deploy_keys', [
    get('/', listProjectDeployKeys, { present: deployKeySerializer, paginate: 'offset' }),
    post('/', createProjectDeployKey, { present: deployKeySerializer, status: 201 }),
    get('/:key_id', getProjectDeployKey, { present: deployKeySerializer }),
    put('/:key_id', updateProjectDeployKey, { present: deployKeySerializer }),
    del('/:key_id', deleteProjectDeployKey, { status: 204 }),
    post('/:key_id/enable', enableProjectDeployKey, { present: deployKeySerializer, status: 201 }),
  ]),
];

export const projectSettingRoutes = [
  ...routes('/projects', [
    post('/', createProject, { present: fullProject, status: 201, uploadLimit: avatarUploadLimit }),
    post('/user/:user_id', createProjectForUser, { present: fullProject, status: 201, uploadLimit: avatarUploadLimit }),
    put('/:id', updateProject, { present: fullProject, uploadLimit: avatarUploadLimit }),
  ]),
  ...routes('/groups', [
    post('/:id/projects/:project_id', transferProjectToGroup, { present: groupDetails, status: 201 }),
  ]),
];

/** What becomes of a project as a whole. */
export const projectLifecycleRoutes = routes('/projects/:id', [
  del('/', deleteProject, { present: accepted, status: 202 }),
  post('/archive', archiveProject, { present: fullProject, status: 201 }),
  post('/restore', restoreProject, { present: fullProject, status: 201 }),
  get('/transfer_locations', listTransferLocations, { present: projectGroupSerializer, paginate: 'offset' }),
  put('/transfer', transferProject, { present: fullProject }),
  post('/unarchive', unarchiveProject, { present: fullProject, status: 201 }),
]);
