import { out, shape } from '../core/shape.js';

const kas = shape<Record<string, never>>('MetadataKas', {
  enabled: out.flag(() => false),
  externalUrl: out.maybeText(() => null),
  externalK8sProxyUrl: out.maybeText(() => null),
  version: out.maybeText(() => null),
});

/** What clients gate features on (operations.md section 3). There is no agent server, so `kas` says just that. */
export const metadataShape = shape<{ version: string; revision: string }>('Metadata', {
  version: out.text((metadata) => metadata.version),
  revision: out.text((metadata) => metadata.revision),
  kas: out.record(kas, () => ({})),
  enterprise: out.flag(() => true),
});
