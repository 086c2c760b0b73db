import { auditEventOperations } from '../../instance/audit-events/audit-event.operations.js';
import { loadPicture } from '../../instance/avatars/avatars.js';
import { operation } from '../../core/operations/operation.js';
import { forContainers } from './container.js';

/** Reading the audit events of projects and groups. */
export const containerAuditEvents = forContainers(auditEventOperations);

/** Download the avatar of a project or group. Requires read access. */
export const downloadContainerAvatar = forContainers(({ kind, noun, resource }) =>
  operation({
    name: `download${noun}Avatar`,
    summary: `Download the picture of a ${kind}`,
    resource,
    authentication: 'open',
    kind: 'read',
    statements: 3,
    run: (ctx, container) => loadPicture(ctx, container, container.record.avatar),
  }),
);
