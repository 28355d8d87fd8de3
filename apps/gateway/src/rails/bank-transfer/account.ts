/** An account of the house, as instructions and files need it. In capitals, without spaces. */
export interface TransferAccount {
  readonly currencyCode: string
  readonly holder: string
  readonly bankName: string
  readonly iban?: string | undefined
  readonly accountNumber?: string | undefined
  readonly bankCode?: string | undefined
  readonly bic?: string | undefined
  readonly upiAddress?: string | undefined
  readonly pixKey?: string | undefined
  readonly bitcoinAddress?: string | undefined
  readonly address: {
    readonly street?: string | undefined
    readonly buildingNumber?: string | undefined
    readonly postalCode?: string | undefined
    readonly town?: string | undefined
    readonly countryCode?: string | undefined
  }
  /** The form of the files by which payouts leave it; undefined: none do. */
  readonly payoutFormat?: string | undefined
}

/** Where money of a currency goes; undefined when the house has no account for it. */
export type AccountFor = (currencyCode: string) => TransferAccount | undefined
