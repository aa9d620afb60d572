# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Command line of the samples; source it after functions.sh. Reads the script's
# own arguments, becomes root and loads the module, so that the script
# can go straight to work.
#
# Every variable can be preset in the environment; an option goes before it. A
# script that wants defaults of its own sets them before: : "${COUNT:=100000}"

usage() {
	cat <<END
Usage: ${0##*/} -i DEV [OPTION]...

  -i DEV       (DEV)       network device to send on; required
  -s BYTES     (PKT_SIZE)  packet size without the CRC [${PKT_SIZE:-60}]
  -d ADDRESS   (DEST_IP)   destination, ADDRESS or ADDRESS/PREFIX [${DEST_IP:-198.18.0.42, with -6 FD00::1}]
  -m MAC       (DST_MAC)   destination MAC address [${DST_MAC:-none}]
  -p PORT      (DST_PORT)  destination port or range MIN-MAX [${DST_PORT:-9}]
  -k           (UDP_CSUM)  fill in UDP checksums
  -t N         (THREADS)   workers to use [${THREADS:-1}]
  -f CPU       (F_THREAD)  CPU of the first worker [${F_THREAD:-0}]
  -c N         (CLONE_SKB) send each packet N times before building the next [${CLONE_SKB:-0}]
  -n COUNT     (COUNT)     packets a worker, 0: until ^C [${COUNT:-0}]
  -b N         (BURST)     packets handed to the driver at once [${BURST:-0}]
  -w NS        (DELAY)     nanoseconds from one packet (or burst) to the next [${DELAY:-0}]
  -6           (IP6)       IPv6
  -a           (APPEND)    configure only: remove nothing, do not start
  -v           (VERBOSE)   say what is done
  -x           (DEBUG)     show every command written
  -h                       this help

Files are in $PROC_DIR (PROC_DIR). If that is missing, RPKTGEN_KO is loaded,
else the module rpktgen, else pktgen.
END
}

usage_error() { # TEXT...
	echo "${0##*/}: $*" >&2
	usage >&2
	exit 2
}

while getopts ":i:s:d:m:p:kt:f:c:n:b:w:6avxh" option; do
	case $option in
	i) DEV=$OPTARG ;;
	s) PKT_SIZE=$OPTARG ;;
	d) DEST_IP=$OPTARG ;;
	m) DST_MAC=$OPTARG ;;
	p) DST_PORT=$OPTARG ;;
	k) UDP_CSUM=yes ;;
	t) THREADS=$OPTARG ;;
	f) F_THREAD=$OPTARG ;;
	c) CLONE_SKB=$OPTARG ;;
	n) COUNT=$OPTARG ;;
	b) BURST=$OPTARG ;;
	w) DELAY=$OPTARG ;;
	6) IP6=6 ;;
	a) APPEND=yes ;;
	v) VERBOSE=yes ;;
	x) DEBUG=yes ;;
	h) usage; exit 2 ;;
	:) usage_error "option -$OPTARG needs an argument" ;;
	*) usage_error "unknown option -$OPTARG" ;;
	esac
done
[[ $OPTIND -gt $# ]] || usage_error "unexpected argument '${!OPTIND}'"

: "${DEV:=}" "${PKT_SIZE:=60}" "${DST_MAC:=}" "${DST_PORT:=}" "${UDP_CSUM:=}"
: "${THREADS:=1}" "${F_THREAD:=0}" "${CLONE_SKB:=0}" "${COUNT:=0}" "${BURST:=0}" "${DELAY:=0}"
: "${IP6:=}" "${APPEND:=}" "${VERBOSE:=}" "${DEBUG:=}"

[[ -n $DEV ]] || usage_error "no device given: use -i DEV"
[[ -n $DST_MAC ]] || usage_error "no destination MAC address given: use -m MAC"
[[ -z $IP6 || $IP6 == 6 ]] || usage_error "IP6 must be 6 or empty, not '$IP6'"

# The kernel reads the digits it finds and ignores the rest, so that 1e6 would
# be taken as 1. Without leading zeros, which mean octal to a shell.
for option in PKT_SIZE THREADS F_THREAD CLONE_SKB COUNT BURST DELAY; do
	is_number "${!option}" || usage_error "$option must be a number, not '${!option}'"
	[[ ${!option} =~ ^0*([0-9]+)$ ]]
	printf -v "$option" %s "${BASH_REMATCH[1]}"
done
((THREADS >= 1)) || usage_error "THREADS must be at least 1"
L_THREAD=$((F_THREAD + THREADS - 1))

if [[ -z ${DEST_IP:-} ]]; then
	DEST_IP=198.18.0.42
	[[ -z $IP6 ]] || DEST_IP=FD00::1
fi
range=$("parse_addr$IP6" "$DEST_IP")
read -r DST_MIN DST_MAX <<<"$range"
if [[ -n $DST_PORT ]]; then
	range=$(parse_ports "$DST_PORT")
	read -r UDP_DST_MIN UDP_DST_MAX <<<"$range"
fi
unset option range

export DEV PKT_SIZE DEST_IP DST_MAC DST_PORT UDP_CSUM THREADS F_THREAD L_THREAD CLONE_SKB COUNT
export BURST DELAY IP6 APPEND VERBOSE DEBUG DST_MIN DST_MAX UDP_DST_MIN UDP_DST_MAX

root_check_run_with_sudo "$@"
load_module
