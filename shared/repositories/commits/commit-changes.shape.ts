import { out, shape } from '../../core/operations/shape.js';
import type { SignatureType } from '../../git/index.js';

/** Where a commit stands in its history. */
export const commitSequence = shape<{ count: number }>('CommitSequence', {
  count: out.integer((sequence) => sequence.count),
});

const unknown = () => null;

/** A signature as the public API tells it of a key that it does not know. */
export const commitSignature = shape<{ type: SignatureType }>('CommitSignature', {
  signature_type: out.text(({ type }) => type, { enum: ['PGP', 'SSH', 'X509'] }),
  verification_status: out.text(({ type }) => (type === 'X509' ? 'unverified' : 'unknown_key')),
  gpg_key_id: out.nullableInteger(unknown),
  gpg_key_primary_keyid: out.nullableText(unknown),
  gpg_key_user_name: out.nullableText(unknown),
  gpg_key_user_email: out.nullableText(unknown),
  gpg_key_subkey_id: out.nullableInteger(unknown),
});
