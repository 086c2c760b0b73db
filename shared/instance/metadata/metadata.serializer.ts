import { out, serializer } from '../../core/operations/serializer.js';

interface Kas {
  enabled: boolean;
  externalUrl: string | null;
  externalK8sProxyUrl: string | null;
  version: string | null;
}

interface Service {
  name: string;
  version: string;
}

export interface Metadata {
  version: string;
  revision: string;
  kas: Kas;
  enterprise: boolean;
  service: Service;
}

const kas = serializer<Kas>('MetadataKas', {
  enabled: out.boolean((agents) => agents.enabled),
  externalUrl: out.nullableText((agents) => agents.externalUrl),
  externalK8sProxyUrl: out.nullableText((agents) => agents.externalK8sProxyUrl),
  version: out.nullableText((agents) => agents.version),
});

const service = serializer<Service>('MetadataService', {
  name: out.text((found) => found.name),
  version: out.text((found) => found.version, {
    description: 'Version of the service itself, as distinct from the level of the API.',
  }),
});

/** The version data that clients gate features on (operations.md section 3). */
export const metadataSerializer = serializer<Metadata>('Metadata', {
  version: out.text((metadata) => metadata.version),
  revision: out.text((metadata) => metadata.revision),
  kas: out.record(kas, (metadata) => metadata.kas),
  enterprise: out.boolean((metadata) => metadata.enterprise),
  service: out.record(service, (metadata) => metadata.service, {
    description: 'Program that sends the response. Beyond the public API.',
  }),
});
