import { branchShape, tagShape } from '../../../shared/repositories/branches-and-tags/branch.shape.js';
import {
  createBranch,
  createTag,
  getBranch,
  getTag,
} from '../../../shared/repositories/branches-and-tags/ref.operations.js';
import { protectBranch, unprotectBranch } from '../../../shared/repositories/branches-and-tags/protect-branch.js';
import { out, shape } from '../../../shared/core/operations/shape.js';
import { listBranches, listTags } from '../../../shared/repositories/branches-and-tags/list-refs.js';
import {
  deleteBranch,
  deleteMergedBranches,
  deleteTag,
} from '../../../shared/repositories/branches-and-tags/delete-refs.js';
import { del, get, post, put, routes } from '../../core/routes.js';

const wholeTag = tagShape.showing(['whole']);
const accepted = shape<unknown>('Accepted', { message: out.text(() => '202 Accepted') });

export default routes('/projects/:id/repository', [
  get('/branches', listBranches, { present: branchShape, paginate: 'keyset' }),
  post('/branches', createBranch, { present: branchShape, status: 201 }),
  get('/branches/:branch', getBranch, { present: branchShape, headStatus: 204 }),
  del('/branches/:branch', deleteBranch, { status: 204 }),
  put('/branches/:branch/protect', protectBranch, { present: branchShape }),
  put('/branches/:branch/unprotect', unprotectBranch, { present: branchShape }),
  del('/merged_branches', deleteMergedBranches, { present: accepted, status: 202 }),
  get('/tags', listTags, { present: tagShape, paginate: 'keyset' }),
  post('/tags', createTag, { present: wholeTag, status: 201 }),
  get('/tags/:tag_name', getTag, { present: wholeTag }),
  del('/tags/:tag_name', deleteTag, { status: 204 }),
]);
