/** Name and description under which the documentation lists what whoever runs the service may do. */
export const ADMINISTRATION: [name: string, description: string] = [
  'Administration',
  'For whoever runs the service: API keys, webhooks, import and export, watermarks, and the files of articles. These ' +
    'calls take the `ADMIN_TOKEN` of the deployment as bearer token, never an API key; while a deployment has no such token, each ' +
    'of them answers 401. Everything that the API itself cannot write comes by import: offices, users, places, ' +
    'lookups, offers, contracts, articles, incomes, expenses and settings.',
]
