/** The version of the contract: of what is released, as CHANGELOG.md and package.json have it, too. */
export const API_VERSION = '0.2.1'
