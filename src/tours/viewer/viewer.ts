/** The script of a tour's page: replaces the flat picture by the sphere, and activates the strip, buttons and keys. */
import './viewer.css'
import { openSphere, type Picture, showInSphere } from './sphere.ts'

const tour = part('tour')
const stage = part('sphere')
const flat = part('flat')
const status = part('status')
const help = part('help')
const fullScreen = part('full-screen')
const texts = tour.dataset
const buttons = [...part('strip').querySelectorAll('button')]

/** Lets this site, and no other, know the page that a visitor comes from. */
const SAME_ORIGIN = { name: 'referrer', content: 'same-origin' }

stage.hidden = false
let sphere = openSphere(stage, texts.wheel ?? '')
let current = -1

part('zoom-in').addEventListener('click', () => sphere?.zoom(sphere.getZoomLevel() + 15))
part('zoom-out').addEventListener('click', () => sphere?.zoom(sphere.getZoomLevel() - 15))
fullScreen.addEventListener('click', toggleFullScreen)
fullScreen.hidden = !document.fullscreenEnabled
part('full-screen-key').hidden = fullScreen.hidden
document.addEventListener('fullscreenchange', () =>
  fullScreen.setAttribute('aria-pressed', String(document.fullscreenElement !== null)),
)
document.addEventListener('keydown', press)
// In a frame, in a tab of its own and at an address that was typed, nothing led here.
const back = part('back')
back.hidden = window.top !== window || history.length < 2 || document.referrer === ''
back.addEventListener('click', () => history.back())
// The other language takes the place of this page, so that "back" still leads out of the tour. It learns of the way back by
// the referrer, which the page otherwise withholds.
for (const link of document.querySelectorAll<HTMLAnchorElement>('header a'))
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (!back.hidden) document.head.append(Object.assign(document.createElement('meta'), SAME_ORIGIN))
    location.replace(link.href)
  })
// The viewer stops this event, but a frame only receives keys after the focus.
stage.addEventListener('pointerdown', () => window.focus())
// A graphics driver may fail later.
stage.addEventListener('webglcontextlost', loseSphere, { capture: true })
for (const [index, button] of buttons.entries()) button.addEventListener('click', () => void show(index))

void show(Math.min(Math.max(Number(location.hash.slice(1)) || 1, 1), buttons.length) - 1)

async function show(index: number): Promise<void> {
  const button = buttons[index]
  if (!button || index === current) return
  if (current >= 0) remember(index)
  current = index
  for (const other of buttons) other.removeAttribute('aria-current')
  button.setAttribute('aria-current', 'true')
  button.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  const { picture, name } = pictureOf(button)
  showStatus(`${name} · ${texts.loading}`)
  stage.setAttribute('aria-busy', 'true')
  const shown = await showRound(picture).catch(() => null)
  if (current !== index || shown === false) return
  stage.setAttribute('aria-busy', 'false')
  if (!shown) return showFlat(picture, name)
  stage.setAttribute('aria-label', name)
  setMode('round')
  showStatus(buttons.length > 1 ? name : '')
}

function pictureOf(button: HTMLButtonElement): { picture: Picture; name: string } {
  const thumb = button.querySelector('img')
  const image = button.dataset.image ?? ''
  return { picture: { image, thumb: thumb?.getAttribute('src') ?? image }, name: thumb?.alt ?? '' }
}

/** False if another picture was requested in between. Rejects without a sphere or if the picture cannot be loaded. */
function showRound(picture: Picture): Promise<boolean> {
  return sphere ? showInSphere(sphere, picture) : Promise.reject(new Error('No WebGL'))
}

/** Shows the picture flat. This works without WebGL, and for pictures that scripts may not read. */
function showFlat({ image }: Picture, name: string): void {
  setMode('flat')
  const picture = document.createElement('img')
  picture.alt = name
  picture.addEventListener('error', () => {
    picture.remove()
    showStatus(`${name} · ${texts.failed}`)
  })
  picture.addEventListener('load', () => {
    flat.scrollLeft = (flat.scrollWidth - flat.clientWidth) / 2
    showStatus(`${name} · ${texts.flat}`)
  })
  picture.src = image
  flat.replaceChildren(picture)
}

function setMode(mode: 'round' | 'flat'): void {
  tour.dataset.mode = mode
  const round = mode === 'round'
  stage.hidden = !round
  part('controls').hidden = !round && fullScreen.hidden
  part('zoom-in').hidden = !round
  part('zoom-out').hidden = !round
  help.hidden = !round
  flat.tabIndex = round ? -1 : 0
  flat.ariaHidden = String(round)
}

function loseSphere(): void {
  sphere = null
  const button = buttons[current]
  if (!button) return
  const { picture, name } = pictureOf(button)
  showFlat(picture, name)
}

/** Handles the keys for pictures and full screen; the sphere handles arrows, + and − itself. */
function press(event: KeyboardEvent): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return
  const last = buttons.length - 1
  const targets: Record<string, number> = {
    PageUp: Math.max(current - 1, 0),
    PageDown: Math.min(current + 1, last),
    Home: 0,
    End: last,
  }
  const target = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : targets[event.key]
  if (target !== undefined) {
    event.preventDefault()
    void show(target)
  } else if (event.key.toLowerCase() === 'f') void toggleFullScreen()
  else if (event.key === 'Escape') help.removeAttribute('open')
}

async function toggleFullScreen(): Promise<void> {
  if (!document.fullscreenEnabled) return
  await (document.fullscreenElement ? document.exitFullscreen() : tour.requestFullscreen())
}

/** Puts the picture in the URL, for shared links and for the page in the other language. */
function remember(index: number): void {
  history.replaceState(null, '', `#${index + 1}`)
  for (const link of document.querySelectorAll<HTMLAnchorElement>('header a')) link.hash = `${index + 1}`
}

function showStatus(message: string): void {
  status.textContent = message
}

function part(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page has no #${id}`)
  return element
}
