/** The version of the API contract, equal to the release in CHANGELOG.md and package.json. */
export const API_VERSION = '0.4.0'
