import { createPrivateKey, randomBytes, webcrypto } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Caller } from '../../core/context/callers.js';
import type { Context, Services } from '../../core/context/context.js';
import { RegistryKeyRow } from './container-repository.entity.js';

/** The only row. */
const ROW = 1;
const SEALED_AS = 'instance_registry_keys.sealed:1';
const DAY_MS = 86_400_000;
/** The registry trusts this certificate itself, so replacing it would require manual work at the registry. */
const GOOD_FOR_DAYS = 20 * 365;

/** The secrets that authenticate the service and the registry to each other. */
export interface RegistryKey {
  /** Signs tokens. */
  key: KeyObject;
  /** Verifies tokens in the registry: as PEM, and in the form used in the header of tokens. */
  certificate: string;
  x5c: string;
  /** Sent by the registry with its notifications. */
  notificationSecret: string;
}

interface Secrets {
  private_key: string;
  notification_secret: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** A new key with a certificate of its own. */
async function makeRow(ctx: Context<Caller>): Promise<RegistryKeyRow> {
  // Needed once in the life of an instance.
  await import('reflect-metadata');
  const { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator } =
    await import('@peculiar/x509');
  const now = ctx.clock.now();
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Capstan container registry tokens',
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter: new Date(now.getTime() + GOOD_FOR_DAYS * DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign, true),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const secrets: Secrets = {
    private_key: pkcs8.toString('base64'),
    notification_secret: randomBytes(32).toString('base64url'),
  };
  return {
    id: ROW,
    certificate: `${certificate.toString('pem').trim()}\n`,
    sealed: ctx.services.keys.encrypt(JSON.stringify(secrets), SEALED_AS),
    created_at: now,
  };
}

const readRow = (ctx: Context<Caller>): Promise<RegistryKeyRow | null> => ctx.em.findOne(RegistryKeyRow, { id: ROW });

/** Creates the key on first use; of two created concurrently, one is kept. */
async function findOrMake(ctx: Context<Caller>): Promise<RegistryKeyRow> {
  const found = await readRow(ctx);
  if (found) return found;
  const row = await makeRow(ctx);
  await ctx.transaction(() =>
    ctx.em.upsert(RegistryKeyRow, row, { onConflictFields: ['id'], onConflictAction: 'ignore' }),
  );
  return (await readRow(ctx)) ?? row;
}

async function open(ctx: Context<Caller>): Promise<RegistryKey> {
  const { certificate, sealed } = await findOrMake(ctx);
  const secrets = JSON.parse(ctx.services.keys.decrypt(Buffer.from(sealed), SEALED_AS)) as Secrets;
  const key = createPrivateKey({ key: Buffer.from(secrets.private_key, 'base64'), format: 'der', type: 'pkcs8' });
  const x5c = certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  return { key, certificate, x5c, notificationSecret: secrets.notification_secret };
}

const keys = new WeakMap<Services, Promise<RegistryKey>>();

/** The key of this instance, made where there is none, and read once by each process. */
export function loadRegistryKey(ctx: Context<Caller>): Promise<RegistryKey> {
  const { services } = ctx;
  const reading =
    keys.get(services) ??
    open(ctx).catch((error: unknown) => {
      keys.delete(services);
      throw error;
    });
  keys.set(services, reading);
  return reading;
}
