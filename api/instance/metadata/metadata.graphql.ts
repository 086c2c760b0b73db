import { Arg, Ctx, Extensions, Field, FieldResolver, InputType, ObjectType, Query, Resolver } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { presentOne } from '../../../shared/core/operations/serializer.js';
import { metadataSerializer } from '../../../shared/instance/metadata/metadata.serializer.js';
import { getMetadata } from '../../../shared/instance/metadata/metadata.operations.js';
import { lookup } from '../../core/graphql/costs.js';
import { MutationInput, mutationsOf } from '../../core/graphql/mutations.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';

@ObjectType('Kas', { description: 'Agent server for clusters.', simpleResolvers: true })
class KasType {
  @Field(() => Boolean, { description: 'Indicates there is an agent server.' })
  enabled!: boolean;

  @Field(() => String, { nullable: true, description: 'URL at which agents reach the agent server.' })
  externalUrl!: string | null;

  @Field(() => String, { nullable: true, description: 'URL at which clients of a cluster reach the agent server.' })
  externalK8sProxyUrl!: string | null;

  @Field(() => String, { nullable: true, description: 'Version of the agent server.' })
  version!: string | null;
}

@ObjectType('Metadata', { description: 'Metadata of this instance.', simpleResolvers: true })
export class MetadataType {
  @Field(() => String, { description: 'Version of the API.' })
  version!: string;

  @Field(() => String, { description: 'Revision of the code.' })
  revision!: string;

  @Field(() => KasType, { description: 'Agent server for clusters.' })
  kas!: KasType;

  @Field(() => Boolean, { description: 'Indicates every edition of the API is served.' })
  enterprise!: boolean;
}

@ObjectType('MetadataFeatureFlag', { description: 'Feature flag of a part of the service.', simpleResolvers: true })
class FeatureFlagType {
  @Field(() => String, { description: 'Name of the feature flag.' })
  name!: string;

  @Field(() => Boolean, { description: 'Indicates the feature flag is enabled.' })
  enabled!: boolean;
}

/** Maximum number of flags per query, as for all lists of names. */
const FLAGS = { most: 100 } as const;

@Resolver(() => MetadataType)
export class FeatureFlagsOfMetadataResolver {
  /** A flag that is not known is off, as in the public API; this service has none that could be on (operations.md section 3). */
  @Extensions(FLAGS)
  @FieldResolver(() => [FeatureFlagType], {
    description: 'Feature flags with the specified names. The service has none: all are disabled.',
  })
  featureFlags(
    @Arg('names', () => [String], { description: 'Names of the feature flags, at most 100.' }) names: string[],
  ): FeatureFlagType[] {
    return names.map((name) => ({ name, enabled: false }));
  }
}

@InputType('EchoCreateInput', { description: 'Messages and errors to send back.' })
class EchoCreateInput extends MutationInput {
  @Field(() => [String], { nullable: true, description: 'Messages to send back.' })
  messages?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Errors to send back.' })
  errors?: string[] | null;
}

interface Echo {
  echoes: string[] | null;
  errors: string[];
}

const echoMutation = mutationsOf<Echo>({
  description: 'Messages and errors that were sent.',
  fields: { echoes: { type: () => [String], description: 'Messages of the input.' } },
});

@Resolver()
export class MetadataResolver {
  @Query(() => MetadataType, {
    nullable: true,
    complexity: lookup,
    description: 'Metadata of this instance; null without signing in.',
  })
  async metadata(@Ctx() { ctx }: GraphqlRequest): Promise<MetadataType> {
    return (await presentOne(ctx, metadataSerializer, await invoke(ctx, getMetadata, {}))) as MetadataType;
  }

  @Query(() => String, {
    complexity: lookup,
    description: 'Returns the username of the caller and the specified text, to test a client.',
  })
  echo(
    @Arg('text', () => String, { description: 'Text to return.' }) text: string,
    @Ctx() { ctx }: GraphqlRequest,
  ): string {
    return `${ctx.caller.user ? JSON.stringify(ctx.caller.user.username) : 'nil'} says: ${text}`;
  }

  @echoMutation(EchoCreateInput, { description: 'Returns the specified messages and errors, to test a client.' })
  echoCreate({ messages, errors }: EchoCreateInput): Promise<Echo> {
    return Promise.resolve({ echoes: messages ?? null, errors: errors ?? [] });
  }
}
