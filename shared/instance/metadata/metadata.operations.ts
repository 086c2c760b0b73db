import { SERVICE_NAME, SERVICE_VERSION } from '../../core/values/version.js';
import { instance, operation } from '../../core/operations/operation.js';

/** Read the version that clients gate features on (operations.md section 3). */
export const getMetadata = operation({
  name: 'getMetadata',
  summary: 'Read version and revision',
  resource: instance,
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
      service: { name: SERVICE_NAME, version: SERVICE_VERSION },
    }),
});

/** The same by its older name. */
export const getVersion = {
  ...getMetadata,
  name: 'getVersion',
  summary: 'Read version and revision, by the older name',
};
