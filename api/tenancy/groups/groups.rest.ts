import { avatarUploadLimit } from '../../../shared/instance/avatars/avatars.js';
import { out, serializer } from '../../../shared/core/operations/serializer.js';
import { archiveGroup, unarchiveGroup } from '../../../shared/tenancy/group-details/archive-group.js';
import { createGroup } from '../../../shared/tenancy/group-details/create-group.js';
import { deleteGroup, restoreGroup } from '../../../shared/tenancy/group-details/delete-group.js';
import { downloadContainerAvatar } from '../../../shared/tenancy/containers/container.operations.js';
import {
  getGroup,
  listDescendantGroups,
  listGroups,
  listSubgroups,
} from '../../../shared/tenancy/group-details/group.operations.js';
import { groupDetails, groupSerializer, publicGroup } from '../../../shared/tenancy/group-details/group.serializer.js';
import { listGroupTransferLocations } from '../../../shared/tenancy/group-details/group-transfer-locations.operations.js';
import { transferGroup } from '../../../shared/tenancy/group-details/transfer-group.js';
import { updateGroup } from '../../../shared/tenancy/group-details/update-group.js';
import { sendPicture } from '../../core/respond.js';
import { del, get, post, put, routes } from '../../core/routes.js';

/** Removal is a job, days later or at once. */
const accepted = serializer<unknown>('Accepted', { message: out.text(() => '202 Accepted') });

export default routes('/groups', [
  get('/', listGroups, { present: groupSerializer, paginate: 'keyset' }),
  post('/', createGroup, { present: groupDetails, status: 201, uploadLimit: avatarUploadLimit }),
  get('/:id', getGroup, { present: groupDetails }),
  get('/:id/avatar', downloadContainerAvatar.group, { respond: sendPicture }),
  put('/:id', updateGroup, { present: groupDetails, uploadLimit: avatarUploadLimit }),
  del('/:id', deleteGroup, { present: accepted, status: 202 }),
  post('/:id/archive', archiveGroup, { present: groupDetails, status: 200 }),
  post('/:id/unarchive', unarchiveGroup, { present: groupDetails, status: 200 }),
  post('/:id/transfer', transferGroup, { present: groupDetails, status: 201 }),
  post('/:id/restore', restoreGroup, { present: groupDetails, status: 201 }),
  get('/:id/transfer_locations', listGroupTransferLocations, { present: publicGroup, paginate: 'offset' }),
  get('/:id/subgroups', listSubgroups, { present: groupSerializer, paginate: 'offset' }),
  get('/:id/descendant_groups', listDescendantGroups, { present: groupSerializer, paginate: 'offset' }),
]);
