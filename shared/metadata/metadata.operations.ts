import { instance, operation } from '../core/operation.js';

/** Read the version that clients gate features on (operations.md section 3). */
export const getMetadata = operation({
  summary: 'Read version and revision',
  subject: instance,
  kind: 'read',
  scopes: ['api', 'read_api', 'read_user'],
  statements: 1,
  run: (ctx) =>
    Promise.resolve({
      version: ctx.config.apiVersion,
      revision: ctx.config.revision,
      // There is no agent server here.
      kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
      enterprise: true,
    }),
});
