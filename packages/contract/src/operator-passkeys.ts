import { Type } from 'typebox'
import { PRINTABLE_PATTERN, TimestampSchema } from './common.ts'

// Passkeys of operators: registering one, signing in with it, a fresh touch, and invitations. Binary members are base64url, as
// `toJSON()` of a browser's credential gives them; members that are not named here are ignored.

const OPERATOR_CODE = Type.String({ pattern: '^[a-z0-9._-]{2,64}$', examples: ['ada'] })

const bytes = (description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]{1,20000}$', description, examples: ['o2NmbXRkbm9uZQ'] })
const CredentialId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,1364}$',
  description: 'What the device calls the passkey.',
  examples: ['AQIDBAUGBwgJCgsMDQ4PEA'],
})
const ChallengeId = Type.String({ pattern: '^chl_[A-Z0-9]{1,32}$', examples: ['chl_4Q7XWB2K9M4Q7XWB2K9M'] })
const CHALLENGE = 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA'

const AssertionAnswer = Type.Object({
  id: CredentialId,
  response: Type.Object({
    clientDataJSON: bytes('What the browser says was signed.'),
    authenticatorData: bytes('What the device says.'),
    signature: bytes('Of both.'),
  }),
})
const ASSERTION_EXAMPLE = {
  challengeId: 'chl_4Q7XWB2K9M4Q7XWB2K9M',
  credential: {
    id: 'AQIDBAUGBwgJCgsMDQ4PEA',
    response: { clientDataJSON: 'eyJ0', authenticatorData: 'SZYN', signature: 'MEUC' },
  },
}

/** Of POST /operator/sessions/passkey/!finish and /operator/step-ups/!finish. */
export const PasskeyAssertionSchema = Type.Object(
  { challengeId: ChallengeId, credential: AssertionAnswer },
  { title: 'PasskeyAssertion', examples: [ASSERTION_EXAMPLE] },
)

const Descriptor = Type.Object({ type: Type.Literal('public-key'), id: Type.String() })

export const PasskeyRequestSchema = Type.Object(
  {
    challengeId: Type.String(),
    options: Type.Object(
      {
        challenge: Type.String(),
        rpId: Type.String(),
        timeout: Type.Integer({ description: 'Milliseconds.', examples: [300_000] }),
        userVerification: Type.Literal('required'),
        allowCredentials: Type.Array(Descriptor, {
          description: 'Empty: any passkey that the device has for this address.',
        }),
      },
      { description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON`.' },
    ),
  },
  {
    title: 'PasskeyRequest',
    examples: [
      {
        challengeId: ASSERTION_EXAMPLE.challengeId,
        options: {
          challenge: CHALLENGE,
          rpId: 'console.pay.example',
          timeout: 300_000,
          userVerification: 'required',
          allowCredentials: [],
        },
      },
    ],
  },
)

export const PasskeyCreationSchema = Type.Object(
  {
    challengeId: Type.String(),
    options: Type.Object(
      {
        challenge: Type.String(),
        rp: Type.Object({ id: Type.String(), name: Type.String() }),
        user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
        pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
        timeout: Type.Integer({ description: 'Milliseconds.', examples: [300_000] }),
        attestation: Type.Literal('none'),
        excludeCredentials: Type.Array(Descriptor),
        authenticatorSelection: Type.Object({
          residentKey: Type.Literal('required'),
          requireResidentKey: Type.Literal(true),
          userVerification: Type.Literal('required'),
        }),
      },
      { description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON`.' },
    ),
  },
  {
    title: 'PasskeyCreation',
    examples: [
      {
        challengeId: ASSERTION_EXAMPLE.challengeId,
        options: {
          challenge: CHALLENGE,
          rp: { id: 'console.pay.example', name: 'Tollgate' },
          user: { id: 'AQIDBAUGBwg', name: 'ada', displayName: 'Ada Lovelace' },
          pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
          timeout: 300_000,
          attestation: 'none',
          excludeCredentials: [],
          authenticatorSelection: {
            residentKey: 'required',
            requireResidentKey: true,
            userVerification: 'required',
          },
        },
      },
    ],
  },
)

/** Body of POST /operator/passkeys/!finish. */
export const PasskeyRegistrationSchema = Type.Object(
  {
    challengeId: ChallengeId,
    name: Type.String({
      minLength: 1,
      maxLength: 140,
      pattern: PRINTABLE_PATTERN,
      description: 'By what the operator tells their passkeys apart.',
      examples: ['Laptop'],
    }),
    credential: Type.Object({
      id: CredentialId,
      response: Type.Object({
        clientDataJSON: bytes('What the browser says was asked for.'),
        attestationObject: bytes('The new public key.'),
      }),
    }),
  },
  {
    title: 'PasskeyRegistration',
    examples: [
      {
        challengeId: ASSERTION_EXAMPLE.challengeId,
        name: 'Laptop',
        credential: {
          id: ASSERTION_EXAMPLE.credential.id,
          response: { clientDataJSON: 'eyJ0', attestationObject: 'o2Nm' },
        },
      },
    ],
  },
)

const PASSKEY = {
  passkeyId: Type.String(),
  name: Type.String(),
  createdAt: TimestampSchema,
  lastUsedAt: Type.Optional(TimestampSchema),
  isBackedUp: Type.Boolean({ description: 'True where the maker of the device keeps a copy.' }),
  isHalf: Type.Boolean({
    description:
      'True while it carries no role but AUDITOR, SUPPORT and CATALOGUE: another ADMIN confirms it.',
  }),
  invitedBy: Type.Optional(
    Type.String({
      description: 'The ADMIN who invited the operator, and so does not confirm it.',
      examples: ['alan'],
    }),
  ),
  confirmedBy: Type.Optional(Type.String({ description: 'The ADMIN who confirmed it.' })),
}
const PASSKEY_EXAMPLE = {
  passkeyId: 'pk_4Q7XWB2K9M',
  name: 'Laptop',
  createdAt: '2026-11-21T10:15:28.001Z',
  isBackedUp: false,
  isHalf: true,
  invitedBy: 'alan',
}
const FINGERPRINT = '7KQ2-M8X4-TJ5N'

export const OperatorPasskeySchema = Type.Object(PASSKEY, {
  title: 'OperatorPasskey',
  examples: [PASSKEY_EXAMPLE],
})

export const PasskeyRegisteredSchema = Type.Object(
  {
    ...PASSKEY,
    fingerprint: Type.String({
      description: 'Told this once, and to nobody else. The ADMIN who confirms the passkey asks for it.',
      examples: [FINGERPRINT],
    }),
  },
  { title: 'PasskeyRegistered', examples: [{ ...PASSKEY_EXAMPLE, fingerprint: FINGERPRINT }] },
)

/** Query of GET /operator/passkeys. */
export const OperatorPasskeysQuery = Type.Object({
  operatorCode: Type.Optional(
    Type.String({ ...OPERATOR_CODE, description: 'Those of this operator. Absent: your own.' }),
  ),
})

export const OperatorPasskeyListSchema = Type.Object(
  { data: Type.Array(OperatorPasskeySchema, { description: 'The oldest first.' }) },
  { title: 'OperatorPasskeyList', examples: [{ data: [PASSKEY_EXAMPLE] }] },
)

export const OperatorPasskeyParams = Type.Object({
  passkeyId: Type.String({ pattern: '^pk_[A-Z0-9]{1,32}$', examples: [PASSKEY_EXAMPLE.passkeyId] }),
})

export const PasskeyConfirmSchema = Type.Object(
  {
    fingerprint: Type.String({
      pattern: '^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$',
      description: 'As the operator was shown it. Ask in person.',
      examples: [FINGERPRINT],
    }),
  },
  { title: 'PasskeyConfirm', examples: [{ fingerprint: FINGERPRINT }] },
)

export const OperatorPasskeyRemovedSchema = Type.Object(
  { passkeyId: Type.String(), removed: Type.Literal(true) },
  { title: 'OperatorPasskeyRemoved', examples: [{ passkeyId: PASSKEY_EXAMPLE.passkeyId, removed: true }] },
)

export const OperatorInviteSchema = Type.Object(
  { operatorCode: OPERATOR_CODE },
  { title: 'OperatorInvite', examples: [{ operatorCode: 'ada' }] },
)

export const OperatorInvitedSchema = Type.Object(
  {
    invitationId: Type.String(),
    operatorCode: Type.String(),
    secret: Type.String({
      description: 'Told this once: only its hash is stored. It registers one passkey.',
      examples: ['tgoi_…'],
    }),
    link: Type.String({ description: 'The same, for the operator to open in the console.' }),
    expireAt: TimestampSchema,
  },
  {
    title: 'OperatorInvited',
    examples: [
      {
        invitationId: 'inv_4Q7XWB2K9M',
        operatorCode: 'ada',
        secret: 'tgoi_…',
        link: 'https://console.pay.example/invitation#tgoi_…',
        expireAt: '2026-11-22T10:15:28.001Z',
      },
    ],
  },
)

/** Body of POST /operator/step-ups/!begin. */
export const StepUpBeginSchema = Type.Object(
  {
    method: Type.String({ pattern: '^(?:POST|PUT|DELETE)$', examples: ['POST'] }),
    path: Type.String({
      pattern: '^/operator/[!-~]{1,900}$',
      description: 'Of the request that the touch is for, without query.',
      examples: ['/operator/payouts/DEMO/OUT-2026-007/!approve'],
    }),
  },
  {
    title: 'StepUpBegin',
    examples: [{ method: 'POST', path: '/operator/payouts/DEMO/OUT-2026-007/!approve' }],
  },
)

export const StepUpSchema = Type.Object(
  {
    secret: Type.String({
      description: 'For the header X-Step-Up of that request, once.',
      examples: ['tgou_…'],
    }),
    expireAt: TimestampSchema,
  },
  { title: 'StepUp', examples: [{ secret: 'tgou_…', expireAt: '2026-11-21T10:17:28.001Z' }] },
)
